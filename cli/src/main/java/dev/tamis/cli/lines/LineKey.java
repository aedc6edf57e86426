package dev.tamis.cli.lines;

import dev.tamis.format.FormatException;
import dev.tamis.records.JsonKey;
import java.util.List;

/** Finds the key of a line, valid until the next one; for one thread. */
public interface LineKey {

  /** Where the key of a line is. */
  enum Found {
    KEY,
    /** The line has none of the fields; its key is one that no fields make. */
    WHOLE_LINE,
    NONE,
    MALFORMED
  }

  /**
   * Finds the key of a line.
   *
   * @throws FormatException if the line is malformed, and such lines are not kept
   */
  Found find(Line line) throws FormatException;

  /** Returns the key that was found. */
  Line key();

  /** Returns the key of a line that has one, as was found before. */
  default Line of(Line line) {
    try {
      Found unused = find(line);
      return key();
    } catch (FormatException e) {
      throw new IllegalStateException("a line cannot lose its key", e);
    }
  }

  static LineKey whole() {
    return new WholeLine();
  }

  static LineKey fields(FieldList fields, byte separator, byte delimiter) {
    return new FieldKey(fields, separator, delimiter);
  }

  static LineKey csv(FieldList fields, byte separator, boolean ignoresCase) {
    return new CsvKey(fields, separator, ignoresCase, true);
  }

  /** Finds the value of one field of CSV, never in quotes. */
  static LineKey csvValue(FieldList field, byte separator) {
    return new CsvKey(field, separator, false, false);
  }

  /** Finds the values of these members, as {@link JsonKey} does. */
  static LineKey json(List<String> members, boolean keepsMalformed) {
    return new Members(JsonKey.of(members), keepsMalformed);
  }

  /** Ignores the case of letters, except that of {@code separator}, which is in no field. */
  static LineKey anyCase(LineKey key, byte separator) {
    return new AnyCaseKey(key, separator);
  }

  static byte lower(byte letter) {
    return letter >= 'A' && letter <= 'Z' ? (byte) (letter + 'a' - 'A') : letter;
  }

  final class WholeLine implements LineKey {

    private Line line = new Line();

    @Override
    public Found find(Line line) {
      this.line = line;
      return Found.KEY;
    }

    @Override
    public Line key() {
      return line;
    }
  }

  final class Members implements LineKey {

    private final JsonKey json;
    private final boolean keepsMalformed;
    private final Line key = new Line();

    Members(JsonKey json, boolean keepsMalformed) {
      this.json = json;
      this.keepsMalformed = keepsMalformed;
    }

    @Override
    public Found find(Line line) throws FormatException {
      if (isBlank(line)) {
        return Found.NONE;
      }
      try {
        if (!json.find(line.buffer(), line.start(), line.start() + line.length())) {
          return Found.NONE;
        }
      } catch (FormatException e) {
        if (keepsMalformed) {
          return Found.MALFORMED;
        }
        throw e;
      }
      key.set(json.buffer(), json.start(), json.length());
      return Found.KEY;
    }

    /** An empty line, as some programs end their files with, is no record. */
    private static boolean isBlank(Line line) {
      int end = line.start() + line.length();
      int i = line.start();
      while (i < end
          && (line.buffer()[i] == ' ' || line.buffer()[i] == '\t' || line.buffer()[i] == '\r')) {
        i++;
      }
      return i == end;
    }

    @Override
    public Line key() {
      return key;
    }
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
    public Found find(Line line) throws FormatException {
      Found where = cased.find(line);
      if (where == Found.NONE || where == Found.MALFORMED) {
        return where;
      }
      Line found = cased.key();
      lower.clear();
      lower.add(found.buffer(), found.start(), found.start() + found.length());
      byte[] bytes = lower.bytes();
      for (int i = 0; i < lower.length(); i++) {
        byte folded = lower(bytes[i]);
        bytes[i] = folded == lower(separator) ? bytes[i] : folded;
      }
      lower.setTo(key);
      return where;
    }

    @Override
    public Line key() {
      return key;
    }
  }
}
