package dev.tamis.filter;

/** What became of a key that was offered to a stage. */
enum Offer {
  /** All of its bits were set. */
  KNOWN,
  /** It was missing and is in. */
  NEW,
  /** It was missing and still is, because the filter takes no more. */
  NO_ROOM
}
