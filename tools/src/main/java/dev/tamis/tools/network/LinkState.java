package dev.tamis.tools.network;

import java.util.List;

/**
 * What a {@link RoutingTable} knows of a link.
 *
 * @param taught whether a table came over it at all; without one it is in no answer
 * @param current whether the table is as the neighbour has it, as far as updates tell
 * @param expectedFpps the fpp of each hop's filter, nearest first; empty if not taught. Where it
 *     nears 1 the filter is too full to tell anything
 */
public record LinkState(boolean taught, boolean current, List<Double> expectedFpps) {

  /** Copies the list. */
  public LinkState {
    expectedFpps = List.copyOf(expectedFpps);
  }
}
