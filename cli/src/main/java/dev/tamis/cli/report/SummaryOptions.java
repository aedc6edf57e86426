package dev.tamis.cli.report;

import dev.tamis.cli.console.Messages;
import dev.tamis.cli.console.PageProgress;
import dev.tamis.cli.console.Progress;
import java.util.OptionalLong;
import picocli.CommandLine.Option;

/** The options that say how the summary of a command is printed. */
public final class SummaryOptions {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no summary.")
  private boolean quiet;

  @Option(names = "--json", description = "Print the summary as JSON, with exact numbers.")
  private boolean json;

  /** Returns a progress bar over the input, for {@code toFile} even if output is a terminal. */
  public Progress progress(OptionalLong bytes, boolean toFile, Messages err) {
    return quiet || json ? Progress.NONE : Progress.overBytes(bytes, toFile, err);
  }

  /** Returns a counter of pages that shows nothing without a terminal. */
  public PageProgress pages(boolean toFile, Messages err) {
    boolean shown = !quiet && !json && Progress.isShown(toFile);
    return shown ? PageProgress.on(err) : PageProgress.none();
  }

  public void print(Report summary, Messages err) {
    if (!quiet) {
      err.line(json ? summary.json() : summary.line());
    }
  }

  public void remark(String line, Messages err) {
    if (!quiet && !json) {
      err.line(line);
    }
  }
}
