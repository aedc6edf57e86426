package dev.tamis.filter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Says when a {@link Generation} of a windowed filter ends: after so many puts, or so much time.
 *
 * <p>How far a generation has come is a number, which the file format calls its state: the puts in
 * it, or the nanoseconds since 1970 when it began.
 */
sealed interface Pace {

  /** Reads the clock, if there is one; without a stripe held, because it is the caller's. */
  long now();

  /** Returns how many generations have ended since this one began, 0 to {@code most}. */
  int due(Generation generation, long now, int most);

  /** Returns the state with which the generation after those that are due begins. */
  long next(Generation generation, long now);

  /** Returns the state with which the first generation begins. */
  long first(long now);

  /** Returns the part of a state, or of a number of puts, that is puts. */
  long puts(long state);

  /** Returns a state that was read, if it can be one. */
  default long requireState(long state) {
    long puts = puts(state);
    if (puts < 0 || puts > limit()) {
      throw new IllegalArgumentException("puts must be 0 to " + limit() + ", got " + puts);
    }
    return state;
  }

  /** Returns the most puts of a generation. */
  long limit();

  /** Returns what a generation lasts in nanoseconds, or 0 if it does not go by time. */
  long nanos();

  /** A generation lasts for so many puts. */
  record ByPuts(long limit) implements Pace {

    @Override
    public long now() {
      return 0;
    }

    @Override
    public int due(Generation generation, long now, int most) {
      return generation.hasEnded() ? 1 : 0;
    }

    @Override
    public long next(Generation generation, long now) {
      return 0;
    }

    @Override
    public long first(long now) {
      return 0;
    }

    @Override
    public long puts(long state) {
      return state;
    }

    @Override
    public long nanos() {
      return 0;
    }
  }

  /** A generation lasts for so long. A clock that goes back makes it last longer. */
  record ByTime(InstantSource clock, long nanos) implements Pace {

    @Override
    public long now() {
      return nanosOf(clock.instant());
    }

    @Override
    public int due(Generation generation, long now, int most) {
      if (now <= generation.start()) {
        return 0;
      }
      // the difference is right as an unsigned number, however far apart the two are
      long ended = Long.divideUnsigned(now - generation.start(), nanos);
      return Long.compareUnsigned(ended, most) < 0 ? (int) ended : most;
    }

    @Override
    public long next(Generation generation, long now) {
      return now - Long.remainderUnsigned(now - generation.start(), nanos);
    }

    @Override
    public long first(long now) {
      return now;
    }

    @Override
    public long puts(long state) {
      return 0; // time goes by without puts
    }

    @Override
    public long limit() {
      return Long.MAX_VALUE;
    }
  }

  /** Returns the nanoseconds since 1970, or the nearest number of them that there is. */
  static long nanosOf(Instant instant) {
    try {
      return Duration.between(Instant.EPOCH, instant).toNanos();
    } catch (ArithmeticException e) {
      return instant.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
