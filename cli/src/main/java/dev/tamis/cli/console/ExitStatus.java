package dev.tamis.cli.console;

/** The exit statuses of commands, other than 0 for success. */
public final class ExitStatus {

  /** No error, and nothing matched, as in grep. */
  public static final int NOTHING_FOUND = 1;

  /** An error, which standard error explains. */
  public static final int ERROR = 2;

  /** What a shell reports for a command that was ended by SIGPIPE. */
  public static final int CLOSED_PIPE = 141;

  private ExitStatus() {}
}
