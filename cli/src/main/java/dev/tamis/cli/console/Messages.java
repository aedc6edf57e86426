package dev.tamis.cli.console;

import com.google.errorprone.annotations.FormatMethod;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Standard error: messages without control characters or passwords of URLs, and progress bars. */
public final class Messages {

  private final PrintStream err;
  private final UrlUsers users;

  /** The progress bar on the line of the cursor. */
  private String bar = "";

  private boolean hasBar;

  public Messages(PrintStream err, List<String> arguments) {
    this.err = err;
    this.users = UrlUsers.in(arguments);
  }

  public synchronized void line(String text) {
    print(Printable.line(users.hide(text)) + "\n");
  }

  @FormatMethod
  public void line(String format, @Nullable Object... args) {
    line(String.format(Locale.ROOT, format, args));
  }

  public synchronized void trace(Throwable thrown) {
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace));
    String lines = trace.toString().replace(System.lineSeparator(), "\n");
    print(Printable.lines(users.hide(lines)));
  }

  /** Prints whole lines, above the progress bar if there is one. */
  private void print(String lines) {
    String drawn = bar;
    overwriteBar("");
    err.print(lines);
    overwriteBar(drawn);
    err.flush();
  }

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
      err.print("\n");
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

  /** The users and passwords in the URLs among the arguments, which no message repeats. */
  private static final class UrlUsers {

    /*
     * An error may quote an argument anywhere, so what must not be printed is taken from the arguments,
     * where the end of a URL is clear.
     */

    /** Everything up to the last @, because what should be escaped in a password often is not. */
    private static final Pattern OF_REDIS =
        Pattern.compile("rediss?:/+(.*)@", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** Those of other schemes, such as misspelt ones. */
    private static final Pattern OF_OTHERS = Pattern.compile(":/++([^/?#]*)@");

    private static final String IN_PLACE = "***@";

    private final List<String> users;

    private UrlUsers(List<String> users) {
      this.users = users;
    }

    static UrlUsers in(List<String> arguments) {
      List<String> users = new ArrayList<>();
      for (String argument : arguments) {
        // without the rest, in which every attempt would fail after having read all of it
        String start = argument.substring(0, argument.lastIndexOf('@') + 1);
        for (Pattern pattern : List.of(OF_REDIS, OF_OTHERS)) {
          Matcher matcher = pattern.matcher(start);
          while (matcher.find()) {
            String user = matcher.group(1) + "@";
            users.add(user);
            users.add(user.replaceAll("/+", "/")); // as the name of a file has it
          }
        }
      }
      // the longest first: a shorter one may be its end
      users.sort(Comparator.comparingInt(String::length).reversed());
      return new UrlUsers(users.stream().filter(user -> user.length() > 1).distinct().toList());
    }

    String hide(String message) {
      String hidden = message;
      for (String user : users) {
        hidden = hidden.replace(user, IN_PLACE);
      }
      return hidden;
    }
  }
}
