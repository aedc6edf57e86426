package dev.tamis.bench.peers;

/** A filter that takes text and is asked for it. */
public interface TakesText extends Peer {

  /** Puts {@code key} in. */
  void put(String key);

  /** Returns whether {@code key} is probably there. */
  boolean ask(String key);
}
