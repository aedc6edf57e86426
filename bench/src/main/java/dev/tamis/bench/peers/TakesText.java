package dev.tamis.bench.peers;

/** A filter of text that can be put into and queried. */
public interface TakesText extends Peer {

  /** Puts {@code key} in. */
  void put(String key);

  /** Returns whether {@code key} is probably there. */
  boolean ask(String key);
}
