package dev.tamis.cli.lines;

/**
 * Compares records of CSV by the values of some fields, however they were quoted.
 *
 * <p>The key is a record of these fields, quoted where necessary, so that different fields never
 * make the same key. A record of one field is compared as a whole, as in {@link FieldKey}.
 */
final class CsvKey implements LineKey {

  private final FieldList fields;
  private final byte separator;
  private final ByteBuilder value = new ByteBuilder();
  private final ByteBuilder joined = new ByteBuilder();
  private final Line key = new Line();
  private long incomplete;

  CsvKey(FieldList fields, byte separator) {
    this.fields = fields;
    this.separator = separator;
  }

  @Override
  public Line of(Line line) {
    byte[] text = line.buffer();
    int end = line.start() + line.length();
    if (end > line.start() && text[end - 1] == '\r') {
      end--; // of a line end of two bytes
    }
    joined.clear();
    value.clear();
    CsvRecords.State state = CsvRecords.State.START;
    int field = 1;
    int range = 0;
    int parts = 0;
    for (int i = line.start(); i <= end && range < fields.ranges().size(); i++) {
      if (i == end || (text[i] == separator && state != CsvRecords.State.QUOTED)) {
        boolean isWhole = i == end && field == 1;
        if (isWhole || fields.ranges().get(range).from() <= field) {
          add(parts++);
        }
        value.clear();
        range += field == fields.ranges().get(range).to() ? 1 : 0;
        field++;
        state = CsvRecords.State.START;
      } else {
        CsvRecords.State next = state.after(text[i], separator);
        boolean isQuote =
            next == CsvRecords.State.QUOTED
                ? state == CsvRecords.State.START
                : next == CsvRecords.State.QUOTE;
        if (!isQuote) {
          value.add(text[i]);
        }
        state = next;
      }
    }
    incomplete += parts == 0 ? 1 : 0;
    joined.setTo(key);
    return key;
  }

  private void add(int parts) {
    if (parts > 0) {
      joined.add(separator);
    }
    if (!needsQuotes()) {
      joined.add(value.bytes(), 0, value.length());
      return;
    }
    joined.add(CsvRecords.State.QUOTE_BYTE);
    for (int i = 0; i < value.length(); i++) {
      if (value.bytes()[i] == CsvRecords.State.QUOTE_BYTE) {
        joined.add(CsvRecords.State.QUOTE_BYTE);
      }
      joined.add(value.bytes()[i]);
    }
    joined.add(CsvRecords.State.QUOTE_BYTE);
  }

  private boolean needsQuotes() {
    for (int i = 0; i < value.length(); i++) {
      byte next = value.bytes()[i];
      if (next == separator
          || next == CsvRecords.State.QUOTE_BYTE
          || next == '\n'
          || next == '\r') {
        return true;
      }
    }
    return false;
  }

  @Override
  public long incomplete() {
    return incomplete;
  }
}
