package dev.tamis.cli.console;

import java.util.function.UnaryOperator;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;

/** A progress bar on the last line of the terminal, drawn by {@link Messages} above any message. */
final class TerminalBar implements AutoCloseable {

  private static final int REDRAW_MILLIS = 250;

  private final Messages err;
  private final ProgressBar bar;
  private final Thread onInterrupt;

  /** Starts to draw; {@code style} sets the total, the unit and the appearance. */
  TerminalBar(Messages err, UnaryOperator<ProgressBarBuilder> style) {
    this.err = err;
    this.onInterrupt = new Thread(err::endBar, "end of the bar");
    err.startBar();
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    this.bar =
        style
            .apply(new ProgressBarBuilder())
            .setConsumer(new Line(err, TerminalWidth.ofError() - 1))
            .setUpdateIntervalMillis(REDRAW_MILLIS)
            .continuousUpdate()
            .build();
  }

  void stepBy(long amount) {
    bar.stepBy(amount);
  }

  /** Draws how far it came, and ends the line; only the first time. */
  @Override
  public void close() {
    if (!err.hasBar()) {
      return;
    }
    bar.close();
    err.endBar(); // the library does not, if it has drawn nothing yet
    try {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    } catch (IllegalStateException e) {
      // the process is ending, and has ended the line
    }
  }

  private record Line(Messages err, int getMaxRenderedLength) implements ProgressBarConsumer {
    @Override
    public void accept(String rendered) {
      err.drawBar(rendered);
    }

    @Override
    public void close() {
      err.endBar();
    }
  }
}
