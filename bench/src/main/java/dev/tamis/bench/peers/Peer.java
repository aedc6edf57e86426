package dev.tamis.bench.peers;

/** A filter of any library, as the measurements see it. */
public interface Peer {

  /** Returns the memory that holds the keys, in bits. */
  long bits();
}
