package dev.tamis.cli.lines;

/** Finds the key of a line, valid until the next one; for one thread. */
public interface LineKey {

  Line of(Line line);

  /** Returns the number of lines that had none of the fields. */
  long incomplete();

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

  static LineKey fields(FieldList fields, byte separator) {
    return new FieldKey(fields, separator);
  }

  static LineKey csv(FieldList fields, byte separator) {
    return new CsvKey(fields, separator);
  }

  static LineKey anyCase(LineKey key) {
    return new AnyCaseKey(key);
  }

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
