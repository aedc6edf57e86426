package dev.tamis.tools.network;

import dev.tamis.filter.BloomFilter;
import java.util.List;

/**
 * What passed over one link: the table that was taught and the one that was sent.
 *
 * @param <T> the type of key
 */
final class Neighbour<T> {

  final GuessTally guesses = new GuessTally();

  /** The neighbour's filters, nearest hop first; empty until the first reset. */
  List<BloomFilter<T>> taught = List.of();

  /** The number of the last update that was applied. */
  long taughtSequence;

  /** Whether no update is known to be missing. */
  boolean current;

  /** The frames as the neighbour has them; empty if it needs a reset. */
  List<byte[]> sent = List.of();

  /** The number of the last update that was made. */
  long sentSequence;

  LinkState state() {
    return new LinkState(
        !taught.isEmpty(), current, taught.stream().map(BloomFilter::expectedFpp).toList());
  }
}
