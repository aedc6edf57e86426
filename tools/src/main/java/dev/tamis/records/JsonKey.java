package dev.tamis.records;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tamis.format.FormatException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/**
 * The key of a JSON record: the values of some members as bytes, equal where the values are.
 *
 * <pre>{@code
 * JsonKey key = JsonKey.of(List.of("url"));
 * if (key.find(line, 0, line.length)) {
 *   filter.putHash(function.hashBytes(key.buffer(), key.start(), key.length()));
 * }
 * }</pre>
 *
 * <p>A string is its characters in UTF-8, as {@link JsonMembers#unescape} writes them: the key of
 * {@code "url":"http://a/"} is that of the line {@code http://a/}. Other values begin with a byte
 * 0xFF, which is in no string: {@code true}, {@code false} and numbers, whose digits follow without
 * zeros at either end, then {@code e} and a power of ten unless that is 0. So 1, 1.0 and 1e0 are
 * {@code 1}, 100 is {@code 1e2}, −0.50 is {@code -5e-1} and −0 is {@code 0}: the unscaled value and
 * the negated scale of a {@link java.math.BigDecimal} without trailing zeros. Values of several
 * members are joined by a byte 0xFE, which is in none of them.
 *
 * <p>A record has no key if one of the members is absent, null, an object or an array.
 *
 * <p>For one thread.
 */
public final class JsonKey {

  private static final byte SEPARATOR = (byte) 0xFE;
  private static final byte NO_STRING = (byte) 0xFF;

  private final JsonMembers members;
  private final int count;
  private byte[] joined = new byte[1 << 8];
  private byte[] buffer = joined;
  private int start;
  private int length;

  private JsonKey(JsonMembers members, int count) {
    this.members = members;
    this.count = count;
  }

  /**
   * Returns a finder of keys of these members, in this order.
   *
   * @param paths as {@link JsonMembers#of} takes them
   * @throws IllegalArgumentException as there
   */
  public static JsonKey of(List<String> paths) {
    return new JsonKey(JsonMembers.of(paths), paths.size());
  }

  /**
   * Finds the key of one record; the key is valid until the next call, while the bytes stay as they
   * are. A single string without escapes is not copied.
   *
   * @return whether the record has a key
   * @throws FormatException as {@link JsonMembers#scan} does
   */
  public boolean find(byte[] record, int from, int to) throws FormatException {
    length = 0;
    members.scan(record, from, to);
    for (int i = 0; i < count; i++) {
      switch (members.kind(i)) {
        case ABSENT, NULL, OBJECT, ARRAY -> {
          return false;
        }
        default -> {}
      }
    }
    if (count == 1 && members.kind(0) == JsonMembers.Kind.STRING && !members.hasEscapes(0)) {
      buffer = record;
      start = members.start(0) + 1;
      length = members.end(0) - 1 - start;
      return true;
    }
    start = 0;
    for (int i = 0; i < count; i++) {
      makeRoom(members.end(i) - members.start(i));
      if (i > 0) {
        joined[length++] = SEPARATOR;
      }
      switch (members.kind(i)) {
        case STRING -> length = members.unescape(i, joined, length);
        case TRUE, FALSE -> {
          joined[length++] = NO_STRING;
          add(record, members.start(i), members.end(i));
        }
        default -> {
          joined[length++] = NO_STRING;
          addNumber(record, members.start(i), members.end(i));
        }
      }
    }
    buffer = joined;
    return true;
  }

  /** Makes room for a value of {@code bytes}, a separator and a power of ten. */
  private void makeRoom(int bytes) {
    long needed = (long) length + bytes + 32;
    if (needed > joined.length) {
      long most = Integer.MAX_VALUE - 16;
      joined = Arrays.copyOf(joined, (int) Math.min(most, Math.max(needed, 2L * length)));
    }
  }

  private void add(byte[] text, int from, int to) {
    System.arraycopy(text, from, joined, length, to - from);
    length += to - from;
  }

  private void addNumber(byte[] text, int from, int to) {
    int at = from;
    if (text[at] == '-') {
      joined[length++] = text[at++];
    }
    int digits = length;
    long power = 0;
    boolean isFraction = false;
    for (; at < to && text[at] != 'e' && text[at] != 'E'; at++) {
      if (text[at] == '.') {
        isFraction = true;
        continue;
      }
      power -= isFraction ? 1 : 0;
      if (text[at] != '0' || length > digits) {
        joined[length++] = text[at];
      }
    }
    if (length == digits) { // 0, and -0, whose sign goes
      length -= text[from] == '-' ? 1 : 0;
      joined[length++] = '0';
      return;
    }
    for (; joined[length - 1] == '0'; length--) {
      power++;
    }
    String exponent = at < to ? new String(text, at + 1, to - at - 1, US_ASCII) : "0";
    BigInteger sum = new BigInteger(exponent).add(BigInteger.valueOf(power));
    if (sum.signum() != 0) {
      byte[] written = ("e" + sum).getBytes(US_ASCII);
      add(written, 0, written.length);
    }
  }

  /** Returns the array that has the key: that of the record, or one that the next key replaces. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns where the key begins in {@link #buffer}. */
  public int start() {
    return start;
  }

  /** Returns the bytes of the key. */
  public int length() {
    return length;
  }
}
