package dev.tamis.cli.console;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * Standard error: messages and progress bars.
 *
 * <p>Nothing in a message can steer the terminal, and no URL of the arguments has its password.
 */
public final class Messages {

  private final PrintStream err;
  private final UrlUsers users;

  /**
   * Starts messages about a command.
   *
   * @param arguments its arguments, whose passwords are left out
   */
  public Messages(PrintStream err, List<String> arguments) {
    this.err = err;
    this.users = UrlUsers.in(arguments);
  }

  /** Prints one line. */
  public void line(String text) {
    err.println(Printable.line(users.hide(text)));
  }

  /** Prints a stack trace. */
  public void trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    err.print(Printable.lines(users.hide(trace.toString())));
  }

  /** Returns where a progress bar draws itself. */
  PrintStream terminal() {
    return err;
  }
}
