package dev.tamis.blocklist;

import java.io.IOException;
import java.util.List;

/** Lines of a list are not entries; the message has file, line number and rule of the first few. */
public final class BadLinesException extends IOException {

  private static final long serialVersionUID = 1;

  private final transient List<String> examples;
  private final long count;

  BadLinesException(long count, List<String> examples) {
    super(String.join("\n", examples));
    this.count = count;
    this.examples = List.copyOf(examples);
  }

  /** Returns how many lines are bad. */
  public long count() {
    return count;
  }

  /** Returns a message for each of the first few, such as {@code list.txt:7: expected ...}. */
  public List<String> examples() {
    return examples;
  }
}
