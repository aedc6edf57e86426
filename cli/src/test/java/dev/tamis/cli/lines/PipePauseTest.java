package dev.tamis.cli.lines;

import static dev.tamis.cli.lines.PipePause.COARSE_NANOS;
import static dev.tamis.cli.lines.PipePause.COARSE_PAUSES;
import static dev.tamis.cli.lines.PipePause.LATENCY_NANOS;
import static dev.tamis.cli.lines.PipePause.LONGEST_NANOS;
import static dev.tamis.cli.lines.PipePause.SHORTEST_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With a pipe, a clock and a timer that are models. */
final class PipePauseTest {

  private int capacity = 1 << 16;

  private long now = Long.MAX_VALUE - LATENCY_NANOS / 2; // it overflows in each test
  private long timerNanos = 1;
  private double bytesPerNano;
  private double filled;
  private final List<Long> pauses = new ArrayList<>();
  private final PipePause pause = new PipePause(() -> now, this::sleep);

  private final InputStream pipe =
      new ByteArrayInputStream(new byte[0]) {
        @Override
        public synchronized int available() {
          return (int) filled;
        }
      };

  private void sleep(long nanos) {
    pauses.add(nanos);
    long slept = Math.max(timerNanos, nanos);
    now += slept;
    filled = Math.min(capacity, filled + slept * bytesPerNano);
  }

  @Test
  void whatIsThereIsMoreWithoutAPause() throws IOException {
    pause.restart();
    filled = 1;
    assertThat(pause.bringsMore(pipe)).isTrue();
    assertThat(pauses).isEmpty();
  }

  @Test
  void whatComesFirstOrWhenABlockIsDueIsNotKeptBack() throws IOException {
    assertThat(pause.bringsMore(pipe)).isFalse();
    pause.restart();
    now += LATENCY_NANOS;
    assertThat(pause.bringsMore(pipe)).isFalse();
    assertThat(pauses).isEmpty();
  }

  @Test
  void waitsUntilABlockIsDueAndNotMuchLonger() throws IOException {
    for (long before : new long[] {0, 1, LATENCY_NANOS - 1}) {
      pause.restart();
      long due = now + LATENCY_NANOS;
      now += before;
      assertThat(pause.bringsMore(pipe)).isFalse();
      assertThat(now - due).isBetween(0L, LONGEST_NANOS - 1);
    }
    assertThat(pauses).allMatch(nanos -> nanos >= SHORTEST_NANOS && nanos <= LONGEST_NANOS);
  }

  @ParameterizedTest
  @ValueSource(ints = {1 << 12, 1 << 14, 1 << 16, 1 << 20})
  void fillsThePipeAsFarAsAWriterIsNotHeldUp(int capacity) throws IOException {
    this.capacity = capacity;
    double slowest = capacity < 1 << 16 ? LONGEST_NANOS : SHORTEST_NANOS; // of pauses when full
    for (double gigabytesPerSecond : new double[] {0.1, 0.3, 1, 3, 10}) {
      bytesPerNano = gigabytesPerSecond;
      empty(100); // to get used to it
      pauses.clear();
      long start = now;
      double read = empty(100);
      assertThat(read / pauses.size())
          .as("bytes a pause, at %s GB/s", gigabytesPerSecond)
          .isGreaterThan(0.4 * Math.min(Math.min(capacity, 1 << 16), LONGEST_NANOS * bytesPerNano));
      assertThat(read / (now - start))
          .as("GB/s, of %s", gigabytesPerSecond)
          .isGreaterThan(Math.min(0.6 * bytesPerNano, 0.9 * capacity / slowest));
    }
  }

  /** Empties the pipe so often, after a pause each time, and returns how many bytes came. */
  private double empty(int times) throws IOException {
    double read = 0;
    for (int i = 0; i < times; i++) {
      pause.restart();
      filled = 0;
      assertThat(pause.bringsMore(pipe)).isTrue();
      read += filled;
    }
    return read;
  }

  @Test
  void aTimerThatIsCoarseIsLeftAlone() throws IOException {
    timerNanos = 15_600_000;
    for (int i = 0; i < 3 * COARSE_PAUSES; i++) {
      pause.restart();
      assertThat(pause.bringsMore(pipe)).isFalse();
    }
    assertThat(pauses).hasSize(COARSE_PAUSES);
  }

  @Test
  void aCoarsePauseNowAndThenIsNoReasonToStop() throws IOException {
    bytesPerNano = 0.1;
    for (int i = 0; i < 10 * COARSE_PAUSES; i++) {
      timerNanos = i % COARSE_PAUSES == 0 ? COARSE_NANOS - 1 : COARSE_NANOS;
      assertThat(empty(1)).isPositive();
    }
    assertThat(pauses).hasSize(10 * COARSE_PAUSES);
  }
}
