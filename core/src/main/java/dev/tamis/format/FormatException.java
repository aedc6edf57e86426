package dev.tamis.format;

import java.io.IOException;
import java.util.Locale;

/** Says that bytes are not a filter: where, what was expected there and what was found. */
public final class FormatException extends IOException {

  private static final long serialVersionUID = 1;

  private final long offset;

  /**
   * Creates the exception.
   *
   * @param offset bytes from the start of the frame to where it went wrong
   * @param field the name of what is there
   * @param expected what should be there
   * @param found what is there
   */
  public FormatException(long offset, String field, Object expected, Object found) {
    super(
        String.format(
            Locale.ROOT,
            "not a valid filter: %s at byte %d: expected %s, found %s",
            field,
            offset,
            expected,
            found));
    this.offset = offset;
  }

  /** Returns the bytes from the start of the frame to where it went wrong. */
  public long offset() {
    return offset;
  }
}
