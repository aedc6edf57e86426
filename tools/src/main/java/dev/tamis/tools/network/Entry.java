package dev.tamis.tools.network;

/** What became of a message that was to enter a {@link FlowLedger}. */
public enum Entry {
  /** It is in flight, and certainly was not before. */
  ENTERED,

  /** It is in flight once more than before: a second delivery, or one that looks like another. */
  ENTERED_AGAIN,

  /**
   * Its counters can count no further, so it was not noted and need not leave: it is in flight as
   * often as the ledger can tell, and one more would stay for ever.
   */
  OVERFLOW
}
