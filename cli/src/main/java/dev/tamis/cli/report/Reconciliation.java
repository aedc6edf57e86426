package dev.tamis.cli.report;

import dev.tamis.cli.console.CommandException;

/** Checks that two independent counts of the same thing agree. */
public final class Reconciliation {

  private Reconciliation() {}

  /** Stops the command if they differ, because then lines were lost or invented. */
  public static void check(String what, long counted, long expected) {
    if (counted != expected) {
      throw new CommandException(
          "counts disagree: %s: expected %d, got %d; discard the output and report this",
          what, expected, counted);
    }
  }
}
