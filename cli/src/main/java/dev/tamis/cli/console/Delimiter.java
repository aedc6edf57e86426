package dev.tamis.cli.console;

import picocli.CommandLine.Option;

/** The option that says which byte ends a line. */
public final class Delimiter {

  @Option(
      names = {"-z", "--null"},
      description = "Lines end with NUL, not newline.")
  private boolean nul;

  public byte value() {
    return (byte) (nul ? 0 : '\n');
  }
}
