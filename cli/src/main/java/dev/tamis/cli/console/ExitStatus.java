package dev.tamis.cli.console;

/** What commands end with, besides 0 for done. */
public final class ExitStatus {

  /** Nothing was wrong, and nothing matched, as with grep. */
  public static final int NOTHING_FOUND = 1;

  /** Something was wrong, which standard error says. */
  public static final int ERROR = 2;

  /** What a shell reports of a command that wrote to a pipe which nobody reads any more. */
  public static final int CLOSED_PIPE = 141;

  private ExitStatus() {}
}
