package dev.tamis.tools.guard;

import java.util.OptionalDouble;

/** A guard of any kind: its name, state and counters, which cost next to nothing to read. */
public sealed interface Guard permits ReadGuard, SharedStoreGuard {

  /** Returns the name it has in logs and metrics. */
  String name();

  /** Returns whether it answers from its filter. */
  GuardState state();

  /** Returns the counters of all gets. */
  GetStats gets();

  /**
   * Returns the measured fpp of the filter in use; empty without a filter, or before an absent key
   * was queried.
   */
  OptionalDouble measuredFpp();
}
