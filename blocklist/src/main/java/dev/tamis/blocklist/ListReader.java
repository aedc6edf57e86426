package dev.tamis.blocklist;

import dev.tamis.blocklist.BuildSummary.LineCounts;
import dev.tamis.file.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Reads lines of UTF-8, limited in length. */
final class ListReader {

  /** A longer line is not an entry; its beginning is kept for the message. */
  static final int MAX_CHARS = 4096;

  private static final int BUFFER_CHARS = 1 << 14;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final String source;
  private final Reader in;
  private final char[] buffer = new char[BUFFER_CHARS];
  private int start;
  private int end;

  private ListReader(String source, InputStream in) {
    this.source = source;
    this.in = new InputStreamReader(in, StandardCharsets.UTF_8);
  }

  /**
   * Passes each line to an action, without its line ending. Invalid UTF-8 becomes U+FFFD.
   *
   * @param bad takes a message for each line that the action refuses
   * @throws FileSystemException naming the source, if it cannot be read
   */
  static LineCounts read(String source, InputStream in, Examples bad, LineAction action)
      throws IOException {
    ListReader reader = new ListReader(source, in);
    StringBuilder line = new StringBuilder();
    long lines = 0;
    long used = 0;
    long badBefore = bad.count();
    while (reader.next(line)) {
      if (lines++ == 0 && line.length() > 0 && line.charAt(0) == BYTE_ORDER_MARK) {
        line.deleteCharAt(0);
      }
      try {
        if (line.length() > MAX_CHARS) {
          throw Refusal.of(line.toString(), "a line of at most " + MAX_CHARS + " characters");
        }
        used += action.take(line.toString(), lines) ? 1 : 0;
      } catch (IllegalArgumentException e) {
        bad.add(Refusal.reason(e), source + ":" + lines + ": " + e.getMessage());
      }
    }
    return new LineCounts(lines, used, bad.count() - badBefore);
  }

  /** Reads the next line, of a long one a little more than is allowed; false at the end. */
  private boolean next(StringBuilder line) throws IOException {
    line.setLength(0);
    boolean some = false;
    while (start < end || fill()) {
      some = true;
      int stop = start;
      while (stop < end && buffer[stop] != '\n') {
        stop++;
      }
      line.append(buffer, start, Math.min(stop - start, MAX_CHARS + 1 - line.length()));
      start = stop + 1;
      if (stop < end) {
        return true;
      }
    }
    return some;
  }

  private boolean fill() throws IOException {
    try {
      start = 0;
      end = Math.max(0, in.read(buffer, 0, buffer.length));
      return end > 0;
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw FileErrors.named(source, String.valueOf(e.getMessage()), e);
    }
  }

  interface LineAction {
    /**
     * Takes a line and returns whether there was something in it.
     *
     * @throws IllegalArgumentException if the line is malformed
     */
    boolean take(String line, long number);
  }

  /** Counts messages, and keeps the first few of them. */
  static final class Examples {

    private static final int KEPT = 10;

    private final List<String> kept = new ArrayList<>();
    private final Map<BadLineReason, Long> reasons = new EnumMap<>(BadLineReason.class);
    private long count;

    void add(BadLineReason reason, String message) {
      reasons.merge(reason, 1L, Long::sum);
      add(message);
    }

    void add(String message) {
      count++;
      if (kept.size() < KEPT) {
        kept.add(message);
      }
    }

    void addAll(Examples other) {
      count += other.count;
      other.reasons.forEach((reason, times) -> reasons.merge(reason, times, Long::sum));
      other.kept.stream().limit(KEPT - kept.size()).forEach(kept::add);
    }

    long count() {
      return count;
    }

    Map<BadLineReason, Long> reasons() {
      return Map.copyOf(reasons);
    }

    List<String> kept() {
      return List.copyOf(kept);
    }
  }
}
