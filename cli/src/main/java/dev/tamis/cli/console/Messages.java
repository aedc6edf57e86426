package dev.tamis.cli.console;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Standard error: messages, in which nothing can steer the terminal, and progress bars. */
public final class Messages {

  private final PrintStream err;

  public Messages(PrintStream err) {
    this.err = err;
  }

  /** Prints one line. */
  public void line(String text) {
    err.println(Printable.line(text));
  }

  /** Prints a stack trace. */
  public void trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    err.print(Printable.lines(trace.toString()));
  }

  /** Returns where a progress bar draws itself. */
  PrintStream terminal() {
    return err;
  }
}
