package dev.tamis.cli.lines;

import java.io.IOException;
import java.util.function.Predicate;

/** Decides which lines of a batch match; prints or counts them. */
@FunctionalInterface
public interface LineMatcher {

  /** Marks the matches among {@code count} lines of the reader, from index 0 on. */
  void match(LineReader reader, int count, boolean[] marks) throws IOException;

  static LineMatcher each(Predicate<Line> predicate) {
    return (reader, count, marks) -> {
      for (int i = 0; i < count; i++) {
        marks[i] = predicate.test(reader.line(i));
      }
    };
  }

  /** Counts the remaining lines that match, or do not if {@code wanted} is false. */
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

  /** Writes the remaining lines that match, or do not if {@code wanted} is false. */
  default void write(LineReader reader, boolean wanted, LineWriter writer) throws IOException {
    boolean[] marks = new boolean[reader.hashes().length];
    for (int count = reader.next(); count > 0; count = reader.next()) {
      match(reader, count, marks);
      writer.write(reader, marks, count, wanted);
    }
    writer.flush();
  }
}
