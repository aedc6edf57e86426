package dev.tamis.cli.console;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import me.tongfei.progressbar.ProgressState;
import org.jspecify.annotations.Nullable;

/** Shows how much of the input was read: a bar if its size is known, a counter if it is a pipe. */
final class ProgressOnTerminal implements Progress {

  private static final long BYTES_PER_MEGABYTE = 1_000_000;

  /** A shorter run needs no counter, and would take as long to load one. */
  private static final long DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final OptionalLong total;
  private final Messages err;
  private final long start = System.nanoTime();
  private LongSupplier lines = () -> 0;
  private @Nullable TerminalBar bar;
  private boolean closed;

  private long uncounted;

  private long shownBytes;
  private long shownNanos = start;

  ProgressOnTerminal(OptionalLong total, Messages err) {
    this.total = total;
    this.err = err;
  }

  @Override
  public InputStream watch(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        advance(Math.max(0, count));
        return count;
      }
    };
  }

  @Override
  public synchronized void countLines(LongSupplier counter) {
    lines = counter;
  }

  private synchronized void advance(int bytes) {
    uncounted += bytes;
    if (bar == null && !closed && System.nanoTime() - start >= DELAY_NANOS) {
      bar = new TerminalBar(err, this::style);
    }
    if (bar != null) {
      bar.stepBy(uncounted);
      uncounted = 0;
    }
  }

  private ProgressBarBuilder style(ProgressBarBuilder style) {
    return total.isPresent()
        ? style
            .setInitialMax(total.getAsLong())
            .setTaskName("read")
            .setUnit(" MB", BYTES_PER_MEGABYTE)
            .setStyle(ProgressBarStyle.ASCII)
        : style.setInitialMax(-1).setRenderer((state, width) -> counter(state));
  }

  /** Returns the amount read, and the speed since the last call. */
  private String counter(ProgressState state) {
    long bytes = state.getCurrent();
    long now = System.nanoTime();
    double megabytes = (bytes - shownBytes) / (double) BYTES_PER_MEGABYTE;
    double seconds = (now - shownNanos) / (double) TimeUnit.SECONDS.toNanos(1);
    shownBytes = bytes;
    shownNanos = now;
    return String.format(
        Locale.ROOT,
        "read  %,d MB  %,d lines  %.1f MB/s  %s",
        bytes / BYTES_PER_MEGABYTE,
        lines.getAsLong(),
        megabytes / seconds,
        clock(Duration.ofNanos(now - start)));
  }

  static String clock(Duration time) {
    return String.format(
        Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  @Override
  public void close() {
    TerminalBar drawn;
    synchronized (this) {
      closed = true;
      drawn = bar;
    }
    if (drawn != null) {
      drawn.close();
    }
  }
}
