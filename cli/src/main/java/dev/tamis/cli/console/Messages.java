package dev.tamis.cli.console;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Standard error: messages and progress bars.
 *
 * <p>Nothing in a message can steer the terminal, and no URL of the arguments has its password.
 */
public final class Messages {

  private final PrintStream err;
  private final UrlUsers users;

  /** What is drawn of a progress bar on the line of the cursor. */
  private String bar = "";

  private boolean hasBar;

  /**
   * Starts messages about a command.
   *
   * @param arguments its arguments, whose passwords are left out
   */
  public Messages(PrintStream err, List<String> arguments) {
    this.err = err;
    this.users = UrlUsers.in(arguments);
  }

  public synchronized void line(String text) {
    print(Printable.line(users.hide(text)) + System.lineSeparator());
  }

  @FormatMethod
  public void line(String format, @Nullable Object... args) {
    line(String.format(Locale.ROOT, format, args));
  }

  public synchronized void trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    print(Printable.lines(users.hide(trace.toString())));
  }

  /** Prints whole lines, above the progress bar if there is one. */
  private void print(String lines) {
    String drawn = bar;
    overwriteBar("");
    err.print(lines);
    overwriteBar(drawn);
    err.flush();
  }

  /** Lets a progress bar be drawn until {@link #endBar}. */
  synchronized void startBar() {
    hasBar = true;
  }

  synchronized boolean hasBar() {
    return hasBar;
  }

  /** Draws a progress bar in place of the one before; one that has ended is not drawn again. */
  synchronized void drawBar(String text) {
    if (hasBar) {
      overwriteBar(text);
      err.flush();
    }
  }

  /** Leaves the bar as it is, on a line of its own. */
  synchronized void endBar() {
    if (!bar.isEmpty()) {
      err.println();
      err.flush();
    }
    bar = "";
    hasBar = false;
  }

  private void overwriteBar(String text) {
    if (!bar.isEmpty()) {
      err.print("\r" + " ".repeat(bar.length()) + "\r");
    }
    err.print(text);
    bar = text;
  }
}
