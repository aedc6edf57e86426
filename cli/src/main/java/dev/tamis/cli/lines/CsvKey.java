package dev.tamis.cli.lines;

import java.util.List;

/**
 * Compares records of CSV by the values of some fields, however they were quoted.
 *
 * <p>The key is a record of these fields, quoted where necessary, so that different fields never
 * make the same key. A record with none of them is compared by all its values, after a line end,
 * with which no other key begins.
 */
final class CsvKey implements LineKey {

  private final FieldList fields;
  private final byte separator;
  private final boolean ignoresCase;
  private final boolean quotes;
  private final ByteBuilder value = new ByteBuilder();
  private final ByteBuilder joined = new ByteBuilder();
  private final Line key = new Line();

  CsvKey(FieldList fields, byte separator, boolean ignoresCase, boolean quotes) {
    this.fields = fields;
    this.separator = separator;
    this.ignoresCase = ignoresCase;
    this.quotes = quotes;
  }

  @Override
  public Found find(Line line) {
    joined.clear();
    boolean hasFields = join(line, fields.ranges());
    if (!hasFields) {
      joined.add((byte) '\n');
      boolean unused = join(line, FieldList.ALL.ranges());
    }
    joined.setTo(key);
    return hasFields ? Found.KEY : Found.WHOLE_LINE;
  }

  /** Joins the values of these fields; returns false if the record has no such field. */
  private boolean join(Line line, List<FieldList.Range> ranges) {
    byte[] text = line.buffer();
    int end = line.start() + line.length();
    if (end > line.start() && text[end - 1] == '\r') {
      end--; // of a line end of two bytes
    }
    value.clear();
    CsvRecords.State state = CsvRecords.State.START;
    int field = 1;
    int range = 0;
    int parts = 0;
    for (int i = line.start(); i <= end && range < ranges.size(); i++) {
      if (i == end || (text[i] == separator && state != CsvRecords.State.QUOTED)) {
        if (ranges.get(range).from() <= field) {
          add(parts++);
        }
        value.clear();
        range += field == ranges.get(range).to() ? 1 : 0;
        field++;
        state = CsvRecords.State.START;
      } else {
        CsvRecords.State next = state.after(text[i], separator);
        boolean isQuote =
            next == CsvRecords.State.QUOTED
                ? state == CsvRecords.State.START
                : next == CsvRecords.State.QUOTE;
        if (!isQuote) {
          value.add(ignoresCase ? LineKey.lower(text[i]) : text[i]);
        }
        state = next;
      }
    }
    return parts > 0;
  }

  private void add(int parts) {
    if (parts > 0) {
      joined.add(separator);
    }
    if (!quotes || !needsQuotes()) {
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
  public Line key() {
    return key;
  }
}
