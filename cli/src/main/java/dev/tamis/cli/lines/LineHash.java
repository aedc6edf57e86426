package dev.tamis.cli.lines;

import dev.tamis.format.FormatException;

/** Hashes lines, or finds that one has no key. */
@FunctionalInterface
public interface LineHash {

  /** What becomes of a line. */
  enum Fate {
    /** Its key is hashed. */
    KEYED,
    /** It has no key, so that no other line is equal to it. */
    KEYLESS,
    /** It is that of another run, see {@link KeyPart}. */
    OTHER_PART
  }

  /**
   * Returns the hash of the key of a line, anything if it has none.
   *
   * @throws FormatException if the line is malformed
   */
  long of(Line line) throws FormatException;

  /** Returns the fate of the last line. */
  default Fate fate() {
    return Fate.KEYED;
  }
}
