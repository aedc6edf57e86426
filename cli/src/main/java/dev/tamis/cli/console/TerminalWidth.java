package dev.tamis.cli.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many columns the terminal has. */
public final class TerminalWidth {

  /** Where the width cannot be known. */
  public static final int DEFAULT = 80;

  private static final Pattern COLUMNS = Pattern.compile("([1-9][0-9]{0,3})");

  /** Rows and columns, as {@code stty size} prints them. */
  private static final Pattern SIZE = Pattern.compile("[0-9]+ ([1-9][0-9]{0,3})\\s*");

  private static final long PATIENCE_MILLIS = 500;

  private TerminalWidth() {}

  public static int ofOutput() {
    return of(Boolean.getBoolean("tamis.stdout.tty"));
  }

  public static int ofError() {
    return of(Boolean.getBoolean("tamis.stderr.tty"));
  }

  private static int of(boolean isTerminal) {
    OptionalInt given = columns(COLUMNS.matcher(String.valueOf(System.getenv("COLUMNS"))));
    if (given.isPresent() || !isTerminal) {
      return given.orElse(DEFAULT);
    }
    return columns(SIZE.matcher(size())).orElse(DEFAULT);
  }

  private static OptionalInt columns(Matcher matcher) {
    return matcher.matches()
        ? OptionalInt.of(Integer.parseInt(matcher.group(1)))
        : OptionalInt.empty();
  }

  /** Asks the terminal, which Java alone cannot; empty if there is no answer. */
  private static String size() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try {
        return stty.waitFor(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
            ? new String(stty.getInputStream().readAllBytes(), UTF_8)
            : "";
      } finally {
        stty.destroy();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    } catch (IOException e) {
      return ""; // a system without stty, or a process without a terminal
    }
  }
}
