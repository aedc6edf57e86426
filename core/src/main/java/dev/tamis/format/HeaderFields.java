package dev.tamis.format;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.function.Supplier;

/**
 * The fields of a header, each at a fixed offset, with the checks that all formats make.
 *
 * <p>Errors name what is read, the field, its offset and both values.
 */
public final class HeaderFields {

  private final String what;
  private final long start;
  private final ByteBuffer bytes;

  /** Takes the bytes of a header; {@code what} it is and where it starts are for messages. */
  public HeaderFields(String what, long start, byte[] bytes, ByteOrder order) {
    this.what = what;
    this.start = start;
    this.bytes = ByteBuffer.wrap(bytes).order(order);
  }

  /** Returns an unsigned number of one byte. */
  public int u8(int at) {
    return Byte.toUnsignedInt(bytes.get(at));
  }

  /** Returns an unsigned number of two bytes. */
  public int u16(int at) {
    return Short.toUnsignedInt(bytes.getShort(at));
  }

  /** Returns an unsigned number of four bytes. */
  public long u32(int at) {
    return Integer.toUnsignedLong(bytes.getInt(at));
  }

  /** Returns a signed number of two bytes. */
  public short i16(int at) {
    return bytes.getShort(at);
  }

  /** Returns a signed number of four bytes. */
  public int i32(int at) {
    return bytes.getInt(at);
  }

  /** Returns a signed number of eight bytes. */
  public long i64(int at) {
    return bytes.getLong(at);
  }

  /** Returns a floating-point number of eight bytes. */
  public double f64(int at) {
    return bytes.getDouble(at);
  }

  /** Checks that the header begins with these bytes. */
  public void expectMagic(byte[] magic) throws FormatException {
    byte[] found = Arrays.copyOf(bytes.array(), magic.length);
    if (!Arrays.equals(found, magic)) {
      throw invalid(0, "magic", HexFormat.of().formatHex(magic), HexFormat.of().formatHex(found));
    }
  }

  /** Checks a number for which the format has just one value. */
  public void expect(int at, String field, long expected, long found) throws FormatException {
    if (found != expected) {
      throw invalid(at, field, Long.toUnsignedString(expected), Long.toUnsignedString(found));
    }
  }

  /** Checks that a number is in a closed range. */
  public void expectRange(int at, String field, long least, long most, long found)
      throws FormatException {
    if (found < least || found > most) {
      String range = most == Long.MAX_VALUE ? "at least " + least : least + " to " + most;
      throw invalid(at, field, range, found);
    }
  }

  /** Checks that the bytes are zero from {@code from} up to {@code end}, exclusive. */
  public void expectZeros(int from, int end) throws FormatException {
    for (int at = from; at < end; at++) {
      expect(at, "reserved byte", 0, u8(at));
    }
  }

  /** Checks that at {@code at} there is the CRC-32C of all bytes before it. */
  public void expectChecksum(int at, String field) throws FormatException {
    int checksum = Codec.checksum(bytes.array(), 0, at);
    if (i32(at) != checksum) {
      throw invalid(at, field, Integer.toHexString(checksum), Integer.toHexString(i32(at)));
    }
  }

  /** Returns the result of {@code check}, whose objection to the field becomes the exception. */
  public <V> V checked(int at, String field, Supplier<V> check) throws FormatException {
    try {
      return check.get();
    } catch (IllegalArgumentException e) {
      throw new FormatException(what, start + at, field, String.valueOf(e.getMessage()));
    }
  }

  /** Returns the exception for a field of the header, or of what follows it. */
  public FormatException invalid(long at, String field, Object expected, Object got) {
    return new FormatException(what, start + at, field, expected, got);
  }

  /** Returns the exception for a field of the header with any other problem. */
  FormatException invalid(long at, String field, String problem) {
    return new FormatException(what, start + at, field, problem);
  }
}
