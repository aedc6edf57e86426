package dev.tamis.cli.report;

import dev.tamis.cli.console.Messages;
import dev.tamis.cli.console.PageBar;
import dev.tamis.cli.console.Progress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say how the summary of a command is printed. */
public final class SummaryOptions {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no summary.")
  private boolean quiet;

  @Option(names = "--json", description = "Print the summary as JSON, with exact numbers.")
  private boolean json;

  /**
   * Returns a progress bar over so many bytes of input, if there is a terminal to show it.
   *
   * @param toFile whether the data goes to a file by name
   */
  public Progress progress(long bytes, boolean toFile, Messages err) {
    return quiet || json ? Progress.NONE : Progress.overBytes(bytes, toFile, err);
  }

  /**
   * Returns a counter of pages, or null if there is no terminal to show it.
   *
   * @param toFile whether the list goes to a file by name
   */
  public @Nullable PageBar pageBar(boolean toFile, Messages err) {
    boolean alone = toFile || !Boolean.getBoolean("tamis.stdout.tty");
    boolean shown = !quiet && !json && alone && Boolean.getBoolean("tamis.stderr.tty");
    return shown ? new PageBar(err) : null;
  }

  /** Prints the summary, unless the options suppress it. */
  public void print(Facts summary, Messages err) {
    if (!quiet) {
      err.line(json ? summary.json() : summary.line());
    }
  }

  /** Prints a remark that is for people only. */
  public void remark(String line, Messages err) {
    if (!quiet && !json) {
      err.line(line);
    }
  }
}
