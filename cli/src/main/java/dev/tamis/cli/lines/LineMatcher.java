package dev.tamis.cli.lines;

import java.io.IOException;
import java.util.function.Predicate;

/** Decides for a batch of lines which of them match; prints or counts those of a whole input. */
@FunctionalInterface
public interface LineMatcher {

  /**
   * Sets a mark for each of the lines that the reader stands at.
   *
   * @param count how many lines there are
   * @param marks from index 0 on, true where a line matches
   */
  void match(LineReader reader, int count, boolean[] marks) throws IOException;

  /** Returns a matcher that looks at one line at a time. */
  static LineMatcher each(Predicate<Line> predicate) {
    return (reader, count, marks) -> {
      for (int i = 0; i < count; i++) {
        marks[i] = predicate.test(reader.line(i));
      }
    };
  }

  /** Returns how many of the lines that are left match, or do not if {@code wanted} is false. */
  default long count(LineReader reader, boolean wanted) throws IOException {
    boolean[] marks = new boolean[reader.hashes().length];
    long found = 0;
    for (int count = reader.next(); count > 0; count = reader.next()) {
      match(reader, count, marks);
      for (int i = 0; i < count; i++) {
        found += marks[i] == wanted ? 1 : 0;
      }
    }
    return found;
  }

  /** Writes those of the lines that are left that match, or do not if {@code wanted} is false. */
  default void write(LineReader reader, boolean wanted, LineWriter writer) throws IOException {
    boolean[] marks = new boolean[reader.hashes().length];
    for (int count = reader.next(); count > 0; count = reader.next()) {
      match(reader, count, marks);
      writer.write(reader, marks, count, wanted);
    }
    writer.flush();
  }
}
