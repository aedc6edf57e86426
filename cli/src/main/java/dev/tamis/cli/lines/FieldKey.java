package dev.tamis.cli.lines;

/**
 * Compares lines by some fields, joined by the separator as {@code cut -f} prints them.
 *
 * <p>A line with none of them is compared as a whole, after a delimiter: no field has that byte, so
 * the whole of a line is never equal to fields of another.
 */
final class FieldKey implements LineKey {

  private final FieldList fields;
  private final byte separator;
  private final byte delimiter;
  private final ByteBuilder joined = new ByteBuilder();
  private final Line key = new Line();

  FieldKey(FieldList fields, byte separator, byte delimiter) {
    this.fields = fields;
    this.separator = separator;
    this.delimiter = delimiter;
  }

  @Override
  public Found find(Line line) {
    byte[] text = line.buffer();
    int end = line.start() + line.length();
    boolean isOne = fields.ranges().size() == 1;
    joined.clear();
    int at = line.start(); // where a field begins, past the end if there is none
    int field = 1;
    int parts = 0;
    for (FieldList.Range range : fields.ranges()) {
      for (; field < range.from() && at <= end; field++) {
        at = fieldEnd(text, at, end) + 1;
      }
      if (at > end) {
        break;
      }
      int from = at;
      if (range.to() == Integer.MAX_VALUE) {
        at = end + 1;
      }
      for (; field <= range.to() && at <= end; field++) {
        at = fieldEnd(text, at, end) + 1;
      }
      if (isOne) {
        key.set(text, from, at - 1 - from);
        return Found.KEY;
      }
      if (parts > 0) {
        joined.add(separator);
      }
      joined.add(text, from, at - 1);
      parts++;
    }
    if (parts == 0) {
      joined.add(delimiter);
      joined.add(text, line.start(), end);
    }
    joined.setTo(key);
    return parts == 0 ? Found.WHOLE_LINE : Found.KEY;
  }

  private int fieldEnd(byte[] text, int from, int end) {
    int i = from;
    while (i < end && text[i] != separator) {
      i++;
    }
    return i;
  }

  @Override
  public Line key() {
    return key;
  }
}
