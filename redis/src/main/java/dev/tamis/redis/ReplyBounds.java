package dev.tamis.redis;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Checks the sizes of replies before a client library allocates memory for them, or recurses into
 * their lists. Not thread-safe; one for each connection.
 */
final class ReplyBounds {

  /** Bytes of a line, such as a status or an error. */
  static final int MAX_LINE = 1 << 16;

  /** Bytes of all strings of a reply; the longest expected are chunks of a download, of 64 KiB. */
  static final int MAX_BYTES = 1 << 26;

  /** Elements of all lists of a reply; the longest expected has the slots of a cluster. */
  static final int MAX_ELEMENTS = 1 << 20;

  /** Lists in lists; the deepest expected are the servers of a cluster, at 4. */
  static final int MAX_DEPTH = 16;

  private final long[] open = new long[MAX_DEPTH]; // the elements that each list still lacks
  private int depth;
  private long elements;
  private long bytes;
  private char type; // the first byte of a line, or 0 before it
  private int line;
  private long number;
  private boolean isNegative;
  private long toSkip; // the rest of a string, with its line end

  /**
   * Checks the next bytes of a connection, and consumes them.
   *
   * @throws IOException if a reply exceeds a limit; the connection is of no use then
   */
  void check(ByteBuffer next) throws IOException {
    while (next.hasRemaining()) {
      if (toSkip == 0) {
        check(next.get());
        continue;
      }
      int skipped = (int) Math.min(toSkip, next.remaining());
      next.position(next.position() + skipped);
      toSkip -= skipped;
      if (toSkip == 0) {
        endElement();
      }
    }
  }

  private void check(byte next) throws IOException {
    line++;
    if (line == 1) {
      type = (char) next;
      number = 0;
      isNegative = false;
    } else if (next == '\n') {
      line = 0;
      endLine();
    } else if (next == '-') {
      isNegative = true;
    } else if (next >= '0' && next <= '9') {
      number = Math.min(Integer.MAX_VALUE, number * 10 + next - '0');
    }
    require("bytes of a line", line, MAX_LINE);
  }

  private void endLine() throws IOException {
    boolean isNull = isNegative;
    switch (type) {
      case '$', '=', '!' -> {
        bytes += isNull ? 0 : number;
        require("bytes", bytes, MAX_BYTES);
        toSkip = isNull ? 0 : number + 2;
        if (isNull) {
          endElement();
        }
      }
      case '*', '~', '>' -> beginList(isNull ? 0 : number);
      case '%', '|' -> beginList(isNull ? 0 : 2 * number);
      default -> endElement();
    }
  }

  private void beginList(long size) throws IOException {
    elements += size;
    require("elements", elements, MAX_ELEMENTS);
    if (size == 0) {
      endElement();
      return;
    }
    require("lists in lists", depth + 1, MAX_DEPTH);
    open[depth++] = size;
  }

  private void endElement() {
    while (depth > 0) {
      open[depth - 1]--;
      if (open[depth - 1] > 0) {
        return;
      }
      depth--;
    }
    elements = 0;
    bytes = 0;
  }

  private static void require(String what, long found, long most) throws IOException {
    if (found > most) {
      throw new IOException("reply: " + what + ": must be at most " + most + ", got " + found);
    }
  }
}
