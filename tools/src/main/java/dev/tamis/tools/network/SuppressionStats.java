package dev.tamis.tools.network;

/**
 * What a {@link BroadcastSuppression} did since it was built, and how full it is.
 *
 * @param firsts messages told to be handled
 * @param repeats messages told to be dropped
 * @param expectedFpp the probability, in [0, 1], that a message never seen is dropped at present
 * @param expectedWrongDrops how many of the repeats were in truth first, as far as the fill over
 *     time tells; too low while {@code expectedFpp} is above 0.99
 */
public record SuppressionStats(
    long firsts, long repeats, double expectedFpp, double expectedWrongDrops) {

  /** Returns how many messages came in. */
  public long received() {
    return firsts + repeats;
  }
}
