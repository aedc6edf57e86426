package dev.tamis.interop;

/** How a program derives the positions of a key's bits from its hash: a chain of numbers. */
enum Stepping {

  /** Spark's version 1: an int, so that only 2^31 bits are reached. */
  INT(1L << 31) {
    @Override
    long next(long number, long second) {
      int sum = (int) number + (int) second; // overflows, as in the other programs
      return sum;
    }
  },

  /** Spark's version 2: two ints spread over a long. */
  INTS_IN_LONG(1L << 62) {
    @Override
    long start(long first, long second) {
      return (int) first * (long) Integer.MAX_VALUE + (int) second;
    }

    @Override
    long next(long number, long second) {
      return number + (int) second;
    }
  },

  /** Guava's: two longs. */
  LONG(Long.MAX_VALUE) {
    @Override
    long start(long first, long second) {
      return first;
    }

    @Override
    long next(long number, long second) {
      return number + second;
    }

    @Override
    long position(long number, long bits) {
      return (number & Long.MAX_VALUE) % bits;
    }
  },

  /** DCSO's: multiplication modulo 2^64 and then modulo a prime; takes one number only. */
  PRODUCT(Long.MAX_VALUE) {
    @Override
    long start(long first, long second) {
      return next(belowPrime(first), second);
    }

    @Override
    long next(long number, long second) {
      return belowPrime(number * FACTOR);
    }

    @Override
    long position(long number, long bits) {
      return Long.remainderUnsigned(number, bits);
    }
  };

  /** The largest prime below 2^64. */
  private static final long PRIME = -59;

  private static final long FACTOR = -1_469;

  private final long range;

  Stepping(long range) {
    this.range = range;
  }

  /**
   * Returns how many numbers {@link #position} reduces to bits; beyond 2^62 to within a factor of
   * 2, which makes no difference to a filter that fits into memory.
   */
  long range() {
    return range;
  }

  /** Returns the first number of the chain of two parts; of an int part, the low 32 bits count. */
  long start(long first, long second) {
    return next(first, second);
  }

  abstract long next(long number, long second);

  /** Returns the position of a number, below {@code bits}. */
  long position(long number, long bits) {
    return (number < 0 ? ~number : number) % bits;
  }

  /** Reduces a number modulo the prime. */
  private static long belowPrime(long number) {
    return Long.compareUnsigned(number, PRIME) < 0 ? number : number - PRIME;
  }
}
