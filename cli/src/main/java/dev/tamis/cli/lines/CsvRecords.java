package dev.tamis.cli.lines;

import java.util.Locale;

/** Records of CSV as lines: quoted line ends do not end a record. */
final class CsvRecords implements LineFormat.LineEnds {

  /*
   * A library would decode the bytes and lose the place of a record, which is written as it was read.
   */

  /** The longest record; more is the rest of a file after a quote that nothing closes. */
  static final int MAX_RECORD_BYTES = 64 << 20;

  private final byte delimiter;
  private final byte separator;
  private State state = State.START;
  private long length;

  CsvRecords(byte delimiter, byte separator) {
    this.delimiter = delimiter;
    this.separator = separator;
  }

  @Override
  public void find(byte[] text, int from, int to, Block block) throws BadLineException {
    State now = state;
    int start = from;
    for (int i = from; i < to; i++) {
      byte next = text[i];
      if (next == delimiter && now != State.QUOTED) {
        requireShort(length + i - start);
        block.add(i);
        now = State.START;
        start = i + 1;
        length = 0;
      } else {
        now = now.after(next, separator);
      }
    }
    state = now;
    length += to - start;
    requireShort(length);
  }

  private static void requireShort(long bytes) throws BadLineException {
    if (bytes > MAX_RECORD_BYTES) {
      throw new BadLineException(
          String.format(
              Locale.ROOT,
              "is longer than %d bytes; look for a quote that is not closed",
              MAX_RECORD_BYTES));
    }
  }

  @Override
  public void endInput() throws BadLineException {
    if (state == State.QUOTED) {
      throw new BadLineException("has a quote that is not closed; close it, or leave --csv out");
    }
    state = State.START;
    length = 0;
  }

  /** The state of a CSV reader after RFC 4180; a quote within a plain field is literal. */
  enum State {
    /** At the beginning of a field. */
    START,
    /** In a field without quotes, or after the text in quotes. */
    PLAIN,
    /** Between quotes, where separators and line ends are bytes like others. */
    QUOTED,
    /** After a quote between quotes, which ends them unless another follows. */
    QUOTE;

    static final byte QUOTE_BYTE = '"';

    State after(byte next, byte separator) {
      if (this == QUOTED) {
        return next == QUOTE_BYTE ? QUOTE : QUOTED;
      }
      if (next == separator) {
        return START;
      }
      boolean quotes = next == QUOTE_BYTE && this != PLAIN;
      return quotes ? QUOTED : PLAIN;
    }
  }
}
