package dev.tamis.spark;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Mergeable;
import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.LongConsumer;

/**
 * A filter or sketch that takes keys by their hashes, wherever its bytes have travelled.
 *
 * <p>Between tasks there are only the bytes of the file format, which any serializer carries as
 * they are and whose checksum is verified.
 */
final class FilterBuffer<F extends Mergeable<F> & Storable> {

  /** Hashes per batch: filters fetch the memory of several keys at once. */
  private static final int BATCH = 512;

  private final F contents;
  private final HashFunction function;
  private final Puts puts;
  private final String keyType;
  private final long[] hashes = new long[BATCH];
  private int count;

  private FilterBuffer(F contents, HashId hashId, Puts puts) {
    this.contents = contents;
    this.function = HashFunction.xxh3(hashId.number());
    this.puts = puts;
    this.keyType = contents instanceof HashedFilter<?> filter ? filter.hasher().keyType() : "";
  }

  /**
   * Checks that tasks can fill this and merge what they filled.
   *
   * @throws IllegalArgumentException if they cannot, saying why
   */
  static <F extends Mergeable<F> & Storable> void requireFillable(F contents) {
    HashId hashId =
        switch (contents.kind()) {
          case BLOOM, COUNTING_BLOOM -> ((HashedFilter<?>) contents).hashId();
          case COUNT_MIN -> ((CountMinSketch<?>) contents).hashId();
          case DISTINCT -> ((DistinctCounter<?>) contents).hashId();
          default -> throw refused(contents.kind());
        };
    requireUnkeyed(hashId);
    contents.requireCompatible(contents); // a sketch with conservative update cannot be merged
  }

  /**
   * Checks that a hash has no secret key.
   *
   * @throws IllegalArgumentException if it has
   */
  static void requireUnkeyed(HashId hashId) {
    if (hashId.algorithm().isKeyed()) {
      throw new IllegalArgumentException(
          "hash: must have no secret key, which never leaves this process, got "
              + hashId
              + "; use a hasher without one");
    }
  }

  private static IllegalArgumentException refused(Kind kind) {
    return new IllegalArgumentException(
        "tasks fill Bloom filters, counting Bloom filters, count-min sketches and distinct"
            + " counters, got kind "
            + kind.label());
  }

  private interface Puts {
    void put(long[] hashes, int count);
  }

  /**
   * Reads what {@link Storable#writeTo} wrote.
   *
   * @throws IllegalArgumentException if it is of a kind that tasks cannot fill
   */
  static FilterBuffer<?> of(byte[] frame) throws IOException {
    Kind kind = new FrameReader(new ByteArrayInputStream(frame), frame.length).kind();
    InputStream in = new ByteArrayInputStream(frame);
    KeyHasher<CharSequence> any = KeyHasher.text(); // only hashes are put
    switch (kind) {
      case BLOOM -> {
        return ofFilter(BloomFilter.readFrom(in, any, frame.length));
      }
      case COUNTING_BLOOM -> {
        return ofFilter(CountingBloomFilter.readFrom(in, any, frame.length));
      }
      case COUNT_MIN -> {
        CountMinSketch<CharSequence> sketch = CountMinSketch.readFrom(in, any, frame.length);
        return new FilterBuffer<>(sketch, sketch.hashId(), each(sketch::putHash));
      }
      case DISTINCT -> {
        DistinctCounter<CharSequence> counter = DistinctCounter.readFrom(in, any, frame.length);
        return new FilterBuffer<>(counter, counter.hashId(), each(counter::putHash));
      }
      default -> throw refused(kind);
    }
  }

  private static <F extends HashedMutableFilter<?> & Mergeable<F> & Storable>
      FilterBuffer<F> ofFilter(F filter) {
    boolean[] ignored = new boolean[BATCH];
    return new FilterBuffer<>(
        filter, filter.hashId(), (hashes, count) -> filter.putHashes(hashes, count, ignored));
  }

  private static Puts each(LongConsumer put) {
    return (hashes, count) -> {
      for (int i = 0; i < count; i++) {
        put.accept(hashes[i]);
      }
    };
  }

  /** Returns the function by which keys are to be hashed. */
  HashFunction function() {
    return function;
  }

  /** Puts the key with this hash, at the latest when the bytes are taken. */
  void put(long hash) {
    hashes[count++] = hash;
    if (count == BATCH) {
      flush();
    }
  }

  private void flush() {
    puts.put(hashes, count);
    count = 0;
  }

  /**
   * Merges the two, and returns the one that states the type of its keys.
   *
   * @throws IllegalArgumentException if the two are of different kinds or not compatible
   */
  @SuppressWarnings("unchecked") // compared before
  FilterBuffer<?> merge(FilterBuffer<?> other) {
    if (contents.kind() != other.contents.kind()) {
      throw new IllegalArgumentException(
          "the two are not compatible: kind differs: "
              + contents.kind().label()
              + " and "
              + other.contents.kind().label());
    }
    if (keyType.isEmpty() && !other.keyType.isEmpty()) {
      return other.merge(this);
    }
    if (!other.keyType.isEmpty() && !other.keyType.equals(keyType)) {
      throw new IllegalArgumentException(
          "the two are not compatible: type of keys differs: "
              + KeyTypes.ofStated(keyType).catalogString()
              + " and "
              + KeyTypes.ofStated(other.keyType).catalogString());
    }
    flush();
    other.flush();
    contents.putAll((F) other.contents);
    return this;
  }

  byte[] toByteArray() {
    flush();
    return contents.toByteArray();
  }
}
