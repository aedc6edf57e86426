package dev.tamis.tools.guard;

import java.util.OptionalDouble;

/** What any guard tells of itself for next to nothing. */
public sealed interface GuardAccount permits ReadGuard, SharedStoreGuard {

  /** Returns the name it has in logs and metrics. */
  String name();

  /** Returns whether it answers from its filter. */
  GuardState state();

  /** Returns what became of all gets. */
  GuardCounters counters();

  /**
   * Returns the measured fpp of the filter in use; nothing without a filter, or before it was asked
   * for an absent key.
   */
  OptionalDouble measuredFpp();
}
