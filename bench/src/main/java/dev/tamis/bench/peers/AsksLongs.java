package dev.tamis.bench.peers;

/** A filter that is queried with longs. */
public interface AsksLongs extends Peer {

  /** Returns whether {@code key} is probably there. */
  boolean ask(long key);
}
