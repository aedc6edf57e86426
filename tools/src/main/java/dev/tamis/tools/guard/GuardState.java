package dev.tamis.tools.guard;

/** Whether a guard answers from its filter; in all states but {@link #READY} it reads the store. */
public enum GuardState {

  /**
   * It has no filter with every key of the store: it is new, its file was missing or damaged, or
   * the filter could not take a key. A rebuild is in progress, or needed.
   */
  REBUILDING,

  /** It has a filter with every key of the store. */
  READY,

  /** Too many of the keys in its filter have been removed from the store: call rebuild. */
  STALE,

  /** It was switched off. Keys still go into the filter, so that it can be switched on again. */
  DISABLED
}
