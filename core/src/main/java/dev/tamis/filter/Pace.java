package dev.tamis.filter;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Says when a generation of a windowed filter ends: after so many puts, or so much time. */
sealed interface Pace {

  /** Returns how many generations have ended since the youngest began, 0 to {@code most}. */
  int due(int most);

  /** Begins the generation of the present; returns how many have ended, 0 to {@code most}. */
  int advance(int most);

  /** Counts a put. */
  void put();

  /** Returns what a generation lasts in nanoseconds, or 0 if it does not go by time. */
  long nanos();

  /** Returns how far the youngest generation is, as the file format has it. */
  long state();

  /** Begins anew, as if nothing had been put yet. */
  void restart();

  /** Returns an independent pace that goes on from here. */
  Pace copy();

  /** A generation lasts for so many puts. */
  final class ByPuts implements Pace {
    private final long generationPuts;
    private long puts;

    ByPuts(long generationPuts, long puts) {
      if (puts < 0 || puts > generationPuts) {
        throw new IllegalArgumentException("puts must be 0 to " + generationPuts + ", got " + puts);
      }
      this.generationPuts = generationPuts;
      this.puts = puts;
    }

    @Override
    public int due(int most) {
      return puts == generationPuts ? 1 : 0;
    }

    @Override
    public int advance(int most) {
      int due = due(most);
      puts = due == 0 ? puts : 0;
      return due;
    }

    @Override
    public void put() {
      puts++;
    }

    @Override
    public long nanos() {
      return 0;
    }

    @Override
    public long state() {
      return puts;
    }

    @Override
    public void restart() {
      puts = 0;
    }

    @Override
    public Pace copy() {
      return new ByPuts(generationPuts, puts);
    }
  }

  /** A generation lasts for so long. A clock that goes back makes it last longer. */
  final class ByTime implements Pace {
    private final InstantSource clock;
    private final long nanos;
    private long start;

    ByTime(InstantSource clock, long nanos, long start) {
      this.clock = clock;
      this.nanos = nanos;
      this.start = start;
    }

    @Override
    public int due(int most) {
      return due(nanosOf(clock.instant()), most);
    }

    private int due(long now, int most) {
      if (now <= start) {
        return 0;
      }
      // the difference is right as an unsigned number, however far apart the two are
      long ended = Long.divideUnsigned(now - start, nanos);
      return Long.compareUnsigned(ended, most) < 0 ? (int) ended : most;
    }

    @Override
    public int advance(int most) {
      long now = nanosOf(clock.instant());
      int due = due(now, most);
      if (due > 0) {
        start = now - Long.remainderUnsigned(now - start, nanos);
      }
      return due;
    }

    @Override
    public void put() {
      // time goes by without puts
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public long state() {
      return start;
    }

    @Override
    public void restart() {
      start = nanosOf(clock.instant());
    }

    @Override
    public Pace copy() {
      return new ByTime(clock, nanos, start);
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
