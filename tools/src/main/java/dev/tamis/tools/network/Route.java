package dev.tamis.tools.network;

import static java.util.Objects.requireNonNull;

/**
 * A link that is worth asking.
 *
 * @param link the link
 * @param hops the nearest distance, at least 1, at which the key may be: 1 is the neighbour itself
 * @param <L> the type of a link's identity
 */
public record Route<L>(L link, int hops) {

  /** Checks the ranges. */
  public Route {
    requireNonNull(link, "link");
    if (hops < 1) {
      throw new IllegalArgumentException("hops must be at least 1, got " + hops);
    }
  }
}
