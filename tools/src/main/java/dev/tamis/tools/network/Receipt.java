package dev.tamis.tools.network;

/** What became of an update of a neighbour's table. */
public enum Receipt {
  /** The neighbour's table is as the neighbour has it. */
  APPLIED,

  /** It was there already: the same update came twice. */
  REPEATED,

  /**
   * An update before it was lost, or its table is not the one it was made from. Ask the neighbour
   * for a {@link RoutingTable#resetFor reset}; until then the old table answers, and patches are
   * refused.
   */
  RESET_NEEDED
}
