package dev.tamis.interop;

/** How a program makes the numbers from which it takes the positions of a key's bits. */
enum Stepping {

  /** Guava's first strategy and Spark's version 1: an int, so that only 2^31 bits are reached. */
  INT(1L << 31) {
    @Override
    long number(long first, long second, int probe) {
      int sum = (int) first + (probe + 1) * (int) second;
      return sum < 0 ? ~sum : sum;
    }
  },

  /** Spark's version 2: two ints spread over a long. */
  INTS_IN_LONG(1L << 62) {
    @Override
    long number(long first, long second, int probe) {
      long sum = first * Integer.MAX_VALUE + (probe + 1) * second;
      return sum < 0 ? ~sum : sum;
    }
  },

  /** Guava's second strategy: two longs. */
  LONG(Long.MAX_VALUE) {
    @Override
    long number(long first, long second, int probe) {
      return (first + probe * second) & Long.MAX_VALUE;
    }
  };

  private final long range;

  Stepping(long range) {
    this.range = range;
  }

  /** Returns how many numbers there are, from 0 on; of those past 2^62 one more or less. */
  long range() {
    return range;
  }

  /**
   * Returns a number at least 0, which modulo the number of bits is a position.
   *
   * @param first one half of the hash
   * @param second the other half
   * @param probe from 0 on
   */
  abstract long number(long first, long second, int probe);
}
