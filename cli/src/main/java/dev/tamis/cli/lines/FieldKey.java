package dev.tamis.cli.lines;

/**
 * Compares lines by some fields, joined by the separator as by {@code cut -f}: a line without
 * separators is compared as a whole.
 */
final class FieldKey implements LineKey {

  private final FieldList fields;
  private final byte separator;
  private final ByteBuilder joined = new ByteBuilder();
  private final Line key = new Line();
  private long incomplete;

  FieldKey(FieldList fields, byte separator) {
    this.fields = fields;
    this.separator = separator;
  }

  @Override
  public Line of(Line line) {
    byte[] text = line.buffer();
    int end = line.start() + line.length();
    int next = fieldEnd(text, line.start(), end);
    if (next == end) {
      return line;
    }
    boolean isOne = fields.ranges().size() == 1;
    joined.clear();
    key.set(text, end, 0);
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
      } else {
        if (parts > 0) {
          joined.add(separator);
        }
        joined.add(text, from, at - 1);
      }
      parts++;
    }
    incomplete += parts == 0 ? 1 : 0;
    if (!isOne) {
      joined.setTo(key);
    }
    return key;
  }

  private int fieldEnd(byte[] text, int from, int end) {
    int i = from;
    while (i < end && text[i] != separator) {
      i++;
    }
    return i;
  }

  @Override
  public long incomplete() {
    return incomplete;
  }
}
