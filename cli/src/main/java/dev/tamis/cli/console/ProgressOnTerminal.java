package dev.tamis.cli.console;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on standard error, drawn by a thread of its own a few times a second. */
final class ProgressOnTerminal implements Progress {

  private static final int REDRAW_MILLIS = 250;
  private static final long BYTES_PER_MEGABYTE = 1_000_000;

  /** Fits any terminal. To query the width, the library would load native code. */
  private static final int WIDTH = 79;

  private final ProgressBar bar;

  ProgressOnTerminal(long bytes, Messages err) {
    this.bar =
        new ProgressBarBuilder()
            .setInitialMax(bytes)
            .setTaskName("read")
            .setUnit(" MB", BYTES_PER_MEGABYTE)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(err.terminal(), WIDTH))
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .build();
  }

  @Override
  public InputStream watch(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] bytes, int offset, int length) throws IOException {
        int count = super.read(bytes, offset, length);
        bar.stepBy(Math.max(0, count));
        return count;
      }
    };
  }

  @Override
  public void close() {
    bar.close();
  }
}
