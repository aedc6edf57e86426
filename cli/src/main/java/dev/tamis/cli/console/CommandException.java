package dev.tamis.cli.console;

import java.util.List;

/** Why a command stops: one line per error, each with what to do about it. */
public final class CommandException extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final transient List<String> lines;

  public CommandException(String line) {
    this(List.of(line));
  }

  public CommandException(List<String> lines) {
    super(String.join("\n", lines));
    this.lines = List.copyOf(lines);
  }

  List<String> lines() {
    return lines;
  }
}
