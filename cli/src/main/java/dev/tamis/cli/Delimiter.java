package dev.tamis.cli;

import picocli.CommandLine.Option;

/** The option that says which byte ends a line. */
final class Delimiter {

  @Option(
      names = {"-z", "--null"},
      description = "Lines end with NUL, not newline.")
  private boolean nul;

  byte value() {
    return (byte) (nul ? 0 : '\n');
  }
}
