package dev.tamis.blocklist;

import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.filter.FuseFilter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One list: a filter of its entries, and what is known of the filter's errors.
 *
 * @param exceptions hashes that the filter affirms though none of its keys has them, ascending as
 *     signed numbers
 * @param exact the hashes of all keys, if available
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ListedKeys(
    String name,
    KeyForms forms,
    FuseFilter<CharSequence> filter,
    long[] exceptions,
    @Nullable ExactHashes exact) {

  /** Returns this list with more known about its filter. */
  ListedKeys with(long[] newExceptions, @Nullable ExactHashes newExact) {
    return new ListedKeys(name, forms, filter, newExceptions, newExact);
  }

  /** Returns whether the filter affirms a key, rightly or not. */
  boolean mightContain(KeyForms.Key key, long hash) {
    return forms.admit(key) && filter.mightContainHash(hash);
  }

  /** Returns the logarithm of the probability that a lookup of what is not listed says so. */
  double logOfRight() {
    return Math.log1p(
        -(exact == null ? filter.expectedFpp() : Math.scalb((double) exact.count(), -Long.SIZE)));
  }

  /** Classifies a positive of the filter. */
  Finding.Kind judge(long hash) {
    if (Arrays.binarySearch(exceptions, hash) >= 0) {
      return Finding.Kind.FALSE_POSITIVE;
    }
    if (exact == null) {
      return Finding.Kind.PROBABLY_LISTED;
    }
    return exact.contains(hash) ? Finding.Kind.LISTED : Finding.Kind.FALSE_POSITIVE;
  }

  /** The hashes of a list in ascending unsigned order, in memory or mapped from a file. */
  static final class ExactHashes {

    /** The hashes in each part but the last: 1 GiB, within what can be mapped at once. */
    static final long PART_HASHES = 1L << 27;

    private final List<ByteBuffer> parts;
    private final long count;

    /**
     * Wraps the parts.
     *
     * @param parts {@link #PART_HASHES} hashes each, in little-endian order, the last one with the
     *     rest
     */
    ExactHashes(List<ByteBuffer> parts, long count) {
      this.parts =
          parts.stream().map(part -> part.duplicate().order(ByteOrder.LITTLE_ENDIAN)).toList();
      this.count = count;
    }

    long count() {
      return count;
    }

    long get(long index) {
      return parts
          .get((int) (index / PART_HASHES))
          .getLong((int) (index % PART_HASHES) * Long.BYTES);
    }

    boolean contains(long hash) {
      long low = 0;
      long high = count;
      while (low < high) {
        long middle = (low + high) >>> 1;
        int order = Long.compareUnsigned(get(middle), hash);
        if (order == 0) {
          return true;
        }
        if (order < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return false;
    }
  }
}
