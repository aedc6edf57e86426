package dev.tamis.bench.peers;

import java.util.List;

/** A filter of text that can be put into and queried. */
public interface TakesText extends Peer {

  /** Puts {@code key} in. */
  void put(String key);

  /** Returns whether {@code key} is probably there. */
  boolean ask(String key);

  /** Puts all of {@code keys} in. */
  default void putAll(List<String> keys) {
    for (String key : keys) {
      put(key);
    }
  }

  /** Returns how many of {@code keys} are probably there. */
  default int count(List<String> keys) {
    int count = 0;
    for (String key : keys) {
      if (ask(key)) {
        count++;
      }
    }
    return count;
  }
}
