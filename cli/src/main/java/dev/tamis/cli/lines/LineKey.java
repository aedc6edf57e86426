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

  static LineKey fields(FieldList fields, byte separator, byte delimiter) {
    return new FieldKey(fields, separator, delimiter);
  }

  static LineKey csv(FieldList fields, byte separator, boolean ignoresCase) {
    return new CsvKey(fields, separator, ignoresCase);
  }

  /** Ignores the case of letters, except that of {@code separator}, which is in no field. */
  static LineKey anyCase(LineKey key, byte separator) {
    return new AnyCaseKey(key, separator);
  }

  static byte lower(byte letter) {
    return letter >= 'A' && letter <= 'Z' ? (byte) (letter + 'a' - 'A') : letter;
  }

  final class AnyCaseKey implements LineKey {

    private final LineKey cased;
    private final byte separator;
    private final ByteBuilder lower = new ByteBuilder();
    private final Line key = new Line();

    AnyCaseKey(LineKey cased, byte separator) {
      this.cased = cased;
      this.separator = separator;
    }

    @Override
    public Line of(Line line) {
      Line found = cased.of(line);
      lower.clear();
      lower.add(found.buffer(), found.start(), found.start() + found.length());
      byte[] bytes = lower.bytes();
      for (int i = 0; i < lower.length(); i++) {
        byte folded = lower(bytes[i]);
        bytes[i] = folded == lower(separator) ? bytes[i] : folded;
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
