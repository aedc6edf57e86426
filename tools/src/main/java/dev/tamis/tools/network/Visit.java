package dev.tamis.tools.network;

/** What {@link PathFilter#visit} says of a packet at a node; it is passed on only at the first. */
public enum Visit {
  /** The packet was certainly never here; the node is marked in it. */
  FIRST_VISIT,

  /** The packet was here before, but for the false loops of {@link PathFilter#odds}. */
  POSSIBLE_LOOP,

  /** The packet was never here, but has no room for another mark: its path is too long. */
  TOO_LONG,

  /** More bits are set than marking ever sets: somebody filled the filter on purpose. */
  OVERFULL,

  /** The bytes have the wrong length, or name a table that there is not. */
  MALFORMED
}
