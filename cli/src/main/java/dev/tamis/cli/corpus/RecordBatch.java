package dev.tamis.cli.corpus;

import dev.tamis.cli.lines.Block;
import dev.tamis.corpus.TextUnits;
import dev.tamis.format.FormatException;
import dev.tamis.records.JsonMembers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Some records as they were read, with the units of their texts; for one thread at a time. */
final class RecordBatch {

  /** Large enough that handing over is cheap, small enough for the cache of a core. */
  private static final int BYTES = 1 << 19;

  private static final int TEXT = 0;
  private static final int ID = 1;

  /** The bytes of an escaped character of four digits. */
  private static final int ESCAPE = 6;

  private final Block block = new Block(BYTES);
  private final JsonMembers members;
  private final TextUnits units;
  private int[] texts = new int[1 << 8];
  private int[] textEnds = new int[1 << 8];
  private int[] ids = new int[1 << 8];
  private int[] idEnds = new int[1 << 8];
  private int[] unitEnds = new int[1 << 8];
  private byte[] unescaped = new byte[1 << 16];
  private boolean[] malformed = new boolean[1 << 8];
  private int firstMalformed;
  private @Nullable FormatException problem;

  RecordBatch(String field, TextUnits units) {
    this.members = JsonMembers.of(List.of(field, "id"));
    this.units = units;
  }

  Block block() {
    return block;
  }

  TextUnits units() {
    return units;
  }

  /** Parses the records, and makes the keys of their units. */
  void prepare() {
    int count = block.count();
    if (texts.length < count) {
      texts = new int[2 * count];
      textEnds = new int[2 * count];
      ids = new int[2 * count];
      idEnds = new int[2 * count];
      unitEnds = new int[2 * count];
      malformed = new boolean[2 * count];
    }
    units.clear();
    problem = null;
    firstMalformed = count;
    for (int i = 0; i < count; i++) {
      texts[i] = -1;
      ids[i] = -1;
      malformed[i] = false;
      try {
        prepare(i);
      } catch (FormatException e) {
        malformed[i] = true;
        if (problem == null) {
          problem = e;
          firstMalformed = i;
        }
      }
      unitEnds[i] = units.count();
    }
  }

  private void prepare(int record) throws FormatException {
    byte[] bytes = block.bytes();
    int from = block.start(record);
    int to = block.end(record);
    if (isBlank(bytes, from, to)) {
      return;
    }
    members.scan(bytes, from, to);
    if (members.kind(ID) != JsonMembers.Kind.ABSENT) {
      ids[record] = members.start(ID);
      idEnds[record] = members.end(ID);
    }
    if (members.kind(TEXT) != JsonMembers.Kind.STRING) {
      return;
    }
    texts[record] = members.start(TEXT) + 1;
    textEnds[record] = members.end(TEXT) - 1;
    int length = textEnds[record] - texts[record];
    if (!members.hasEscapes(TEXT)) {
      int unused = units.add(bytes, texts[record], textEnds[record]);
      return;
    }
    if (unescaped.length < length) {
      unescaped = new byte[(int) Math.min(Integer.MAX_VALUE - 16, 2L * length)];
    }
    int unused = units.add(unescaped, 0, members.unescape(TEXT, unescaped, 0));
  }

  private static boolean isBlank(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
        return false;
      }
    }
    return true;
  }

  int count() {
    return block.count();
  }

  boolean hasText(int record) {
    return texts[record] >= 0;
  }

  boolean isMalformed(int record) {
    return malformed[record];
  }

  /** Returns the error of the first malformed record, or null. */
  @Nullable FormatException problem() {
    return problem;
  }

  int firstMalformed() {
    return firstMalformed;
  }

  int firstUnit(int record) {
    return record == 0 ? 0 : unitEnds[record - 1];
  }

  int endUnit(int record) {
    return unitEnds[record];
  }

  /** Returns where the text begins in the bytes, after its quote. */
  int text(int record) {
    return texts[record];
  }

  /** Returns where the text ends in the bytes, before its quote. */
  int textEnd(int record) {
    return textEnds[record];
  }

  /** Returns the raw value of the member "id", or "null" without one. */
  byte[] id(int record) {
    return ids[record] < 0
        ? new byte[] {'n', 'u', 'l', 'l'}
        : Arrays.copyOfRange(block.bytes(), ids[record], idEnds[record]);
  }

  /** Returns a text without its escapes, as the places of its units count it. */
  byte[] textOf(int record) {
    byte[] target = new byte[textEnd(record) - text(record)];
    try {
      members.scan(block.bytes(), block.start(record), block.end(record));
    } catch (FormatException e) {
      throw new IllegalStateException("a record has changed since it was prepared", e);
    }
    return Arrays.copyOf(target, members.unescape(TEXT, target, 0));
  }

  /** Returns the raw offset that lies {@code textBytes} bytes of text after {@code raw}. */
  int advance(int raw, int textBytes) {
    byte[] bytes = block.bytes();
    int at = raw;
    int left = textBytes;
    while (left > 0) {
      if (bytes[at] != '\\') {
        at++;
        left--;
      } else if (bytes[at + 1] != 'u') {
        at += 2;
        left--;
      } else {
        int first = hex(bytes, at + 2);
        boolean isPair =
            left >= 4
                && Character.isHighSurrogate((char) first)
                && bytes[at + ESCAPE] == '\\'
                && bytes[at + ESCAPE + 1] == 'u'
                && Character.isLowSurrogate((char) hex(bytes, at + ESCAPE + 2));
        at += isPair ? 2 * ESCAPE : ESCAPE;
        left -= isPair ? 4 : first < 0x80 ? 1 : first < 0x800 ? 2 : 3;
      }
    }
    return at;
  }

  private static int hex(byte[] bytes, int at) {
    return Integer.parseInt(new String(bytes, at, 4, StandardCharsets.US_ASCII), 16);
  }
}
