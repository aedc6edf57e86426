package dev.tamis.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tamis.hash.KeyHasher;
import java.util.Arrays;

/** The type of the keys of a Bloom filter, or the rule that makes them, as its header states it. */
final class KeyTypeField {

  private static final int MAX_LENGTH = KeyHasher.MAX_RULE_LENGTH;

  private static final int AT = Frame.HEADER_CHECKSUM_AT - MAX_LENGTH;

  private static final String CHARACTERS = "bilt()";

  private KeyTypeField() {}

  /** Reads the type from the header of a Bloom filter; empty if it is not stated. */
  static String read(HeaderFields header) throws FormatException {
    byte[] ascii = new byte[MAX_LENGTH];
    int length = 0;
    boolean isRule = header.u8(AT) == '-';
    while (length < MAX_LENGTH && header.u8(AT + length) != 0) {
      int character = header.u8(AT + length);
      if (isRule ? character < ' ' || character > '~' : CHARACTERS.indexOf(character) < 0) {
        throw header.invalid(
            AT + length, "key type", "one of " + CHARACTERS + " or 0", Integer.toString(character));
      }
      ascii[length++] = (byte) character;
    }
    header.expectZeros(AT + length, Frame.HEADER_CHECKSUM_AT);
    return new String(Arrays.copyOf(ascii, length), US_ASCII);
  }

  static void write(FrameWriter writer, String type) {
    writer.header().put(AT, type.getBytes(US_ASCII));
  }
}
