package dev.tamis.tools.network;

/** From when on the window of a message counts that comes more than once. */
public enum Renewal {
  /**
   * From its first arrival: however often it comes, it is forgotten when its window has passed, and
   * is handled again after that. A window of messages counts distinct ones only.
   */
  FIRST_SEEN,

  /**
   * From its last arrival: an echo that never ends never gets through again, but a message that is
   * repeated on purpose stays suppressed for as long as it is repeated. A window of messages counts
   * every arrival, so many echoes make it shorter in distinct messages.
   */
  LAST_SEEN
}
