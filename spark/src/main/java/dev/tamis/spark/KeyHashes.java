package dev.tamis.spark;

import dev.tamis.hash.HashFunction;
import java.io.Serializable;

/** How the elements of an RDD are hashed; some of them may have no key. */
interface KeyHashes<E> extends Serializable {

  boolean isNull(E element);

  /** Returns the hash of the key of an element that has one. */
  long hash(E element, HashFunction function);
}
