package dev.tamis.tools.network;

/** What {@link BroadcastSuppression} says of a message that came in. */
public enum Sighting {
  /** Certainly not within the window: handle it and pass it on. */
  FIRST,

  /** Handled already, but for the fpp: drop it. */
  REPEAT
}
