package dev.tamis;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Keys for tests: as many as wanted, distinct, and the same on every machine. */
public final class Keys {

  private static final KeyHasher<CharSequence> TEXT = KeyHasher.text();
  private static final HashFunction XXH3 = HashFunction.xxh3(0);

  private Keys() {}

  /** Returns the first {@code count} hashes of a stream; two streams do not meet in practice. */
  public static LongStream hashes(long stream, long count) {
    return new SplittableRandom(stream).longs(count);
  }

  /** A way in which the keys of real programs are alike. */
  public enum Kind {
    /** Row numbers. */
    SEQUENTIAL {
      @Override
      public long hash(HashedFilter<Long> filter, long index) {
        return filter.hashOf(index);
      }
    },

    /** Numbers that differ in their high half only. */
    HIGH_BITS {
      @Override
      public long hash(HashedFilter<Long> filter, long index) {
        return filter.hashOf(index << Integer.SIZE);
      }
    },

    /** Numbers without any order. */
    RANDOM {
      @Override
      public long hash(HashedFilter<Long> filter, long index) {
        return filter.hashOf(new SplittableRandom(index).nextLong());
      }
    },

    /** Addresses that differ in a few digits of many characters. */
    URLS {
      @Override
      public long hash(HashedFilter<Long> filter, long index) {
        return TEXT.hash("https://example.org/catalogue/items?page=" + index, XXH3);
      }
    };

    /** Returns the hash of key number {@code index}, by a real hasher. */
    public abstract long hash(HashedFilter<Long> filter, long index);

    /** Returns the hashes of the keys from {@code start} up to {@code end}, exclusive. */
    public LongStream hashes(HashedFilter<Long> filter, long start, long end) {
      return LongStream.range(start, end).map(index -> hash(filter, index));
    }
  }

  /** Returns the same numbers as keys. */
  public static Stream<Long> boxed(long stream, int count) {
    return hashes(stream, count).boxed();
  }

  /** Returns a secret key; other numbers give other keys. */
  public static HashKey secret(int number) {
    byte[] bytes = new byte[HashKey.BYTES];
    bytes[0] = (byte) number;
    return HashKey.of(bytes);
  }
}
