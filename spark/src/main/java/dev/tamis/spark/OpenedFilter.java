package dev.tamis.spark;

import dev.tamis.Filter;
import dev.tamis.HashedFilter;
import dev.tamis.filter.Filters;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The filter in the bytes that a query passes, opened once as long as they stay the same.
 *
 * <p>The tasks of a process share what they open from one array, which is what they get from a
 * broadcast. Not safe for concurrent use; each task has its own.
 */
final class OpenedFilter {

  /** By the identity of the arrays, which is their equality. */
  private static final Map<byte[], HashedFilter<CharSequence>> SHARED = new WeakHashMap<>();

  private byte @Nullable [] bytes;
  private @Nullable HashedFilter<CharSequence> filter;

  /**
   * Returns the filter in these bytes.
   *
   * @throws IllegalArgumentException if they are no filter that can be queried by hashes without a
   *     key
   */
  HashedFilter<CharSequence> of(byte[] bytes) {
    HashedFilter<CharSequence> opened = filter;
    if (opened != null && this.bytes != null) {
      // a column of a table has another array in each row, and usually the same filter
      if (this.bytes == bytes || Arrays.equals(this.bytes, bytes)) {
        return opened;
      }
    }
    opened = shared(bytes);
    this.filter = opened;
    this.bytes = bytes;
    return opened;
  }

  private static HashedFilter<CharSequence> shared(byte[] bytes) {
    synchronized (SHARED) {
      return SHARED.computeIfAbsent(bytes, OpenedFilter::hashed);
    }
  }

  /** Reads a filter that can be queried by hashes. */
  static HashedFilter<CharSequence> hashed(byte[] bytes) {
    Filter<CharSequence> filter = read(bytes);
    if (filter instanceof HashedFilter<CharSequence> hashed) {
      return hashed;
    }
    throw new IllegalArgumentException(
        "filter: must be one of 64-bit hashes, got " + filter.traits());
  }

  /** Reads a filter of any kind; its keys are queried by hashes, whatever their type. */
  static Filter<CharSequence> read(byte[] bytes) {
    try {
      return Filters.readFrom(new ByteArrayInputStream(bytes), KeyHasher.text(), bytes.length);
    } catch (IOException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
  }
}
