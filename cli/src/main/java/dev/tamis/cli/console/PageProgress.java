package dev.tamis.cli.console;

import java.util.Locale;
import me.tongfei.progressbar.ProgressState;
import org.jspecify.annotations.Nullable;

/** A counter of pages on standard error, without a total, which is unknown. */
public final class PageProgress implements AutoCloseable {

  private final @Nullable TerminalBar bar;

  private PageProgress(@Nullable TerminalBar bar) {
    this.bar = bar;
  }

  public static PageProgress none() {
    return new PageProgress(null);
  }

  public static PageProgress on(Messages terminal) {
    return new PageProgress(
        new TerminalBar(
            terminal, bar -> bar.setInitialMax(-1).setRenderer((pages, width) -> text(pages))));
  }

  private static String text(ProgressState pages) {
    return String.format(
        Locale.ROOT,
        "crawl  %,d %s  %s",
        pages.getCurrent(),
        pages.getCurrent() == 1 ? "page" : "pages",
        ProgressOnTerminal.clock(pages.getTotalElapsed()));
  }

  public void step() {
    if (bar != null) {
      bar.stepBy(1);
    }
  }

  /** Ends the line; what is printed afterwards is below it. */
  public void end() {
    if (bar != null) {
      bar.close();
    }
  }

  @Override
  public void close() {
    end();
  }
}
