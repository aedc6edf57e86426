package dev.tamis.tools.network;

/**
 * How a packet fares that visits so many different nodes, none of them twice.
 *
 * @param falseLoop the probability, in [0, 1], that one of them takes it for a loop
 * @param tooLong the probability, in [0, 1], that it has no room for one of them
 */
public record PathOdds(double falseLoop, double tooLong) {

  /** Returns the probability that the packet is wrongly dropped on its way. */
  public double dropped() {
    return falseLoop + tooLong;
  }
}
