package dev.tamis.cli.lines;

import java.io.IOException;

/** Finds where the lines of an input end; for one thread, and one input after the other. */
interface LineEnds {

  /**
   * Adds to {@code block} where lines end in a part of its bytes, which follows the part before.
   *
   * @throws BadLineException if a line is not what it should be
   */
  void find(byte[] text, int from, int to, Block block) throws IOException;

  /**
   * Takes the end of an input for the end of the line that has begun.
   *
   * @throws BadLineException if that line cannot end there
   */
  void endInput() throws IOException;

  /** Says what is wrong with the line that comes next. */
  final class BadLineException extends IOException {
    private static final long serialVersionUID = 1;

    BadLineException(String message) {
      super(message);
    }
  }
}
