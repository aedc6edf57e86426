package dev.tamis.tools.digest;

import java.io.IOException;
import java.util.Locale;

/** Says that bytes are not a cache digest: where, what was expected there and what was found. */
public final class DigestFormatException extends IOException {

  private static final long serialVersionUID = 1;

  /**
   * Creates the exception.
   *
   * @param offset bytes from the start of the digest to where it went wrong
   * @param field the name of what is there
   * @param expected what should be there
   * @param found what is there
   */
  DigestFormatException(long offset, String field, Object expected, Object found) {
    super(
        String.format(
            Locale.ROOT,
            "not a cache digest: %s at byte %d: expected %s, found %s",
            field,
            offset,
            expected,
            found));
  }
}
