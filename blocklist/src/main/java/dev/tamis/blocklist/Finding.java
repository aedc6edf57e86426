package dev.tamis.blocklist;

/**
 * One entry that matched a question, or seemed to.
 *
 * @param list the tag of the list; {@code allow} for allow entries
 * @param form what the entry matches
 * @param entry the entry as a list would have it, such as {@code .example.com}
 * @param kind what is known of it
 */
public record Finding(String list, Form form, String entry, Kind kind) {

  /** What is known of an entry that a question meets. */
  public enum Kind {
    /** An allow entry written by hand. */
    ALLOWED,

    /** An allow entry made because a known-good line is really on a list. */
    KNOWN_GOOD,

    /** On the list, as the exact hashes say. */
    LISTED,

    /** On the list as far as the filter can tell. */
    PROBABLY_LISTED,

    /** The filter takes it for listed, but it is known not to be. */
    FALSE_POSITIVE
  }
}
