package dev.tamis.cli.console;

import com.google.errorprone.annotations.FormatMethod;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Why a command stops: one line per error, each with what to do about it. */
public final class CommandException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<String> lines;

  public CommandException(String line) {
    this(List.of(line));
  }

  @FormatMethod
  public CommandException(String format, @Nullable Object... args) {
    this(String.format(Locale.ROOT, format, args));
  }

  public CommandException(List<String> lines) {
    super(String.join("\n", lines));
    this.lines = List.copyOf(lines);
  }

  List<String> lines() {
    return lines;
  }
}
