package dev.tamis.cli.lines;

/**
 * Where a reader of CSV is between two bytes.
 *
 * <p>After RFC 4180, and lenient where it says nothing: a quote inside a field that does not begin
 * with one is a byte like others, and so is what follows a closing quote.
 */
enum CsvState {
  /** At the beginning of a field. */
  START,
  /** In a field without quotes, or after the text in quotes. */
  PLAIN,
  /** Between quotes, where separators and line ends are bytes like others. */
  QUOTED,
  /** After a quote between quotes, which ends them unless another follows. */
  QUOTE;

  static final byte QUOTE_BYTE = '"';

  /** Returns where the reader is after a byte that does not end the record. */
  CsvState after(byte next, byte separator) {
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
