package dev.tamis.bench.peers;

/** A filter that is asked for longs. */
public interface AsksLongs extends Peer {

  /** Returns whether {@code key} is probably there. */
  boolean ask(long key);
}
