package dev.tamis.bench.peers;

/** A filter that takes longs one by one. */
public interface TakesLongs extends AsksLongs {

  /** Puts {@code key} in. */
  void put(long key);
}
