package dev.tamis.filter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * When a {@link Generation} of a windowed filter ends: after a number of puts, or by time.
 *
 * <p>The file format stores the progress of a generation as its state: the puts in it, or the
 * nanoseconds since 1970 when it began.
 */
sealed interface RotationPolicy {

  /**
   * Reads the clock, without a stripe since it is the user's code; 0 if there is none. A first
   * generation begins with this state.
   */
  long now();

  /** Returns how many generations have ended since this one began, 0 to {@code most}. */
  int due(Generation generation, long now, int most);

  /** Returns the state with which the generation after those that are due begins. */
  long next(Generation generation, long now);

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

  /** Returns the duration of a generation in nanoseconds, or 0 if it ends by puts. */
  long nanos();

  /** A generation ends after {@code limit} puts. */
  record ByPuts(long limit) implements RotationPolicy {

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
    public long puts(long state) {
      return state;
    }

    @Override
    public long nanos() {
      return 0;
    }
  }

  /** A generation ends after {@code nanos}. A clock that goes back makes it last longer. */
  record ByTime(InstantSource clock, long nanos) implements RotationPolicy {

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
    public long puts(long state) {
      return 0; // time goes by without puts
    }

    @Override
    public long limit() {
      return Long.MAX_VALUE;
    }
  }

  /** Returns the nanoseconds since 1970, saturated. */
  static long nanosOf(Instant instant) {
    try {
      return Duration.between(Instant.EPOCH, instant).toNanos();
    } catch (ArithmeticException e) {
      return instant.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
