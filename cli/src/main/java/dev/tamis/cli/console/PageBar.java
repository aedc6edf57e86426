package dev.tamis.cli.console;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A counter of pages on standard error, without a total, which is unknown. */
public final class PageBar implements AutoCloseable {

  private static final int REDRAW_MILLIS = 250;
  private static final int WIDTH = 79;

  private final ProgressBar bar;

  public PageBar(Messages err) {
    this.bar =
        new ProgressBarBuilder()
            .setInitialMax(-1)
            .setTaskName("crawl")
            .setUnit(" pages", 1)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new ConsoleProgressBarConsumer(err.terminal(), WIDTH))
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .build();
  }

  public void step() {
    bar.step();
  }

  @Override
  public void close() {
    bar.close();
  }
}
