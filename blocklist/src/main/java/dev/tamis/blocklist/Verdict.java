package dev.tamis.blocklist;

/** What a block list says of an address or a host. */
public enum Verdict {
  /** An allow entry matches, whatever the lists say. */
  ALLOWED,

  /** It is on a list; the exact hashes in the file confirm it. */
  BLOCKED,

  /** A filter says that it is on a list, and there is nothing to confirm it by. */
  PROBABLY_BLOCKED,

  /** It is certainly on no list. */
  UNLISTED;

  /** Returns whether to block it: confirmed or not. */
  public boolean isBlocked() {
    return this == BLOCKED || this == PROBABLY_BLOCKED;
  }
}
