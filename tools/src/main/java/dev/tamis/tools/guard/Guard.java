package dev.tamis.tools.guard;

import java.util.OptionalDouble;

/** A guard of any kind: its name, state and counters, which are cheap to read. */
public sealed interface Guard permits ReadGuard, SharedStoreGuard {

  /** Returns its name in logs and metrics. */
  String name();

  /** Returns whether it answers from its filter. */
  GuardState state();

  /** Returns the counters of all gets. */
  GetStats gets();

  /** Returns the fpp measured of the filter in use; empty before an absent key was queried. */
  OptionalDouble measuredFpp();
}
