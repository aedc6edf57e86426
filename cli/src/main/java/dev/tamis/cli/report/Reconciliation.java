package dev.tamis.cli.report;

import dev.tamis.cli.console.CommandException;
import java.util.Locale;

/** Checks that numbers which were counted in two places agree. */
public final class Reconciliation {

  private Reconciliation() {}

  /** Stops the command if they do not, because then lines were lost or made up. */
  public static void check(String what, long counted, long expected) {
    if (counted != expected) {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "the account does not add up: %d %s, but there should be %d; do not use the output,"
                  + " and please report this",
              counted,
              what,
              expected));
    }
  }
}
