package dev.tamis.cli.lines;

import java.util.Optional;

/**
 * What ends a line.
 *
 * @param delimiter the byte that ends it
 * @param csvSeparator what separates fields, if a line is a record of CSV, where quotes can hide a
 *     delimiter
 */
public record LineFormat(byte delimiter, Optional<Byte> csvSeparator) {

  /** Returns the format of lines that end with every {@code delimiter}. */
  public static LineFormat plain(byte delimiter) {
    return new LineFormat(delimiter, Optional.empty());
  }

  /** Returns the format of records of CSV. */
  public static LineFormat csv(byte delimiter, byte separator) {
    return new LineFormat(delimiter, Optional.of(separator));
  }

  /** Returns what finds the ends of such lines. */
  LineEnds ends() {
    return csvSeparator.isPresent()
        ? new CsvRecords(delimiter, csvSeparator.get())
        : new DelimitedLines(delimiter);
  }
}
