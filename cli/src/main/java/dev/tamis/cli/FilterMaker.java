package dev.tamis.cli;

import dev.tamis.HashedFilter;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;

/** Makes a filter of lines that are read once. */
interface FilterMaker {

  /** Takes the {@code count} lines that the reader stands at, hashed as the filter's keys are. */
  void take(LineReader reader, int count);

  /** Returns the filter of the lines taken, when there are no more. */
  Made finish();

  /**
   * A filter and its account.
   *
   * @param contents the filter of all lines
   * @param fpp its fpp with them in
   * @param bits its memory
   * @param lines how many lines were taken
   * @param unique those of them that no other before was, as far as the filter can tell
   * @param particulars what else there is to say of this type
   */
  record Made(
      Contents contents, double fpp, long bits, long lines, long unique, Facts particulars) {

    Made(HashedFilter<Line> filter, long lines, long unique, Facts particulars) {
      this(
          new Contents.Ours(filter),
          filter.expectedFpp(),
          filter.bitSize(),
          lines,
          unique,
          particulars);
    }

    Facts account() {
      return new Facts()
          .count("lines", lines)
          .count("unique", unique)
          .count("duplicates", lines - unique)
          .all(particulars)
          .number("fpp", fpp)
          .memory((bits + Byte.SIZE - 1) / Byte.SIZE);
    }
  }
}
