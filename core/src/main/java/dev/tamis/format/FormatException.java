package dev.tamis.format;

import java.io.IOException;
import java.util.Locale;

/**
 * Bytes that are not what they were read as: what that was, the field, its offset and both values.
 *
 * <p>The message reads {@code not a valid filter: version at byte 8: expected 1, got 2}.
 */
public final class FormatException extends IOException {

  private static final long serialVersionUID = 1;

  private static final String END_OF_INPUT = "unexpected end of input";

  private final long offset;
  private final String field;
  private final String problem;

  /**
   * Creates the exception for a value that breaks a rule.
   *
   * @param what the name of the format, such as "filter" or "block list"
   * @param offset bytes from the start of the input to the field
   */
  public FormatException(String what, long offset, String field, Object expected, Object got) {
    this(what, offset, field, "expected " + expected + ", got " + got);
  }

  /** Creates the exception for any other problem of a field. */
  public FormatException(String what, long offset, String field, String problem) {
    super(
        String.format(
            Locale.ROOT, "not a valid %s: %s at byte %d: %s", what, field, offset, problem));
    this.offset = offset;
    this.field = field;
    this.problem = problem;
  }

  /** Creates the exception for input that ends within a field. */
  public static FormatException endOfInput(String what, long offset, String field) {
    return new FormatException(what, offset, field, END_OF_INPUT);
  }

  /**
   * Returns the same problem as one of the format that contains these bytes.
   *
   * @param part the name of these bytes in it
   * @param start their offset
   */
  public FormatException within(String what, String part, long start) {
    FormatException outer =
        new FormatException(what, start + offset, field + " of " + part, problem);
    outer.initCause(this);
    return outer;
  }

  /** Returns whether bytes are missing: a field, or a part of the payload. */
  public boolean isTruncation() {
    return problem.equals(END_OF_INPUT) || field.equals("payload length");
  }

  /** Returns the bytes from the start of the input to the field. */
  public long offset() {
    return offset;
  }
}
