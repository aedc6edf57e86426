package dev.tamis.format;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.tamis.hash.KeyHasher;
import java.util.Arrays;

/** The type of the keys of a filter, or the rule that makes them, as its header states it. */
final class KeyTypeField {

  private static final int USUALLY_AT = Frame.HEADER_CHECKSUM_AT - KeyHasher.MAX_RULE_LENGTH;

  /** A fuse filter has two more parameters. */
  private static final int IN_FUSE_AT = USUALLY_AT + 2 * Integer.BYTES;

  private static final String CHARACTERS = "bilt()";

  private KeyTypeField() {}

  /** Returns where the type is, and ends with the header; the end for a kind that has none. */
  private static int at(Kind kind) {
    return switch (kind) {
      case BLOOM, RIBBON -> USUALLY_AT;
      case FUSE -> IN_FUSE_AT;
      default -> Frame.HEADER_CHECKSUM_AT;
    };
  }

  /** Reads the type from the header of a filter; empty if it is not stated, or never is. */
  static String read(Kind kind, HeaderFields header) throws FormatException {
    int start = at(kind);
    int most = Frame.HEADER_CHECKSUM_AT - start;
    byte[] ascii = new byte[most];
    int length = 0;
    boolean isRule = most > 0 && header.u8(start) == '-';
    while (length < most && header.u8(start + length) != 0) {
      int character = header.u8(start + length);
      if (isRule ? character < ' ' || character > '~' : CHARACTERS.indexOf(character) < 0) {
        throw header.invalid(
            start + length,
            "key type",
            "one of " + CHARACTERS + " or 0",
            Integer.toString(character));
      }
      ascii[length++] = (byte) character;
    }
    header.expectZeros(start + length, Frame.HEADER_CHECKSUM_AT);
    return new String(Arrays.copyOf(ascii, length), US_ASCII);
  }

  static void write(Kind kind, FrameWriter writer, String type) {
    int most = Frame.HEADER_CHECKSUM_AT - at(kind);
    if (type.length() > most) {
      throw new IllegalArgumentException(
          "rule must have at most "
              + most
              + " characters in a "
              + kind.label()
              + " filter, got "
              + type);
    }
    writer.header().put(at(kind), type.getBytes(US_ASCII));
  }
}
