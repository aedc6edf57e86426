package dev.tamis.cli.lines;

/**
 * Finds what a line is compared by: itself, or a part of it.
 *
 * <p>For one thread. The key of a line is valid until that of the next one.
 */
public interface LineKey {

  /** Returns the key of a line, as a line of its own. */
  Line of(Line line);

  /** Returns how many lines had none of the fields they are compared by. */
  long incomplete();

  /** Returns the key that is the line itself. */
  static LineKey whole() {
    return new LineKey() {
      @Override
      public Line of(Line line) {
        return line;
      }

      @Override
      public long incomplete() {
        return 0;
      }
    };
  }

  /** Returns the key that is some fields joined by their separator, as {@code cut} prints them. */
  static LineKey fields(FieldList fields, byte separator) {
    return new FieldKey(fields, separator);
  }

  /** Returns the key that is some fields of a record of CSV. */
  static LineKey csv(FieldList fields, byte separator) {
    return new CsvKey(fields, separator);
  }

  /** Returns the key that is another one with its ASCII letters in lower case. */
  static LineKey anyCase(LineKey key) {
    return new AnyCaseKey(key);
  }

  /** Compares what another key finds without regard to the case of ASCII letters. */
  final class AnyCaseKey implements LineKey {

    private final LineKey cased;
    private final ByteBuilder lower = new ByteBuilder();
    private final Line key = new Line();

    AnyCaseKey(LineKey cased) {
      this.cased = cased;
    }

    @Override
    public Line of(Line line) {
      Line found = cased.of(line);
      lower.clear();
      lower.add(found.buffer(), found.start(), found.start() + found.length());
      byte[] bytes = lower.bytes();
      for (int i = 0; i < lower.length(); i++) {
        byte next = bytes[i];
        bytes[i] = next >= 'A' && next <= 'Z' ? (byte) (next + 'a' - 'A') : next;
      }
      lower.setTo(key);
      return key;
    }

    @Override
    public long incomplete() {
      return cased.incomplete();
    }
  }
}
