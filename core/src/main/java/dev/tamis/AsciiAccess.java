package dev.tamis;

import com.dynatrace.hash4j.hashing.ByteAccess;

/** Reads text whose characters are all ASCII as the bytes it would be encoded to. */
enum AsciiAccess implements ByteAccess<CharSequence> {
  INSTANCE;

  private static final int NOT_ASCII = ~0x7F;

  static boolean isAscii(CharSequence text) {
    int seen = 0;
    for (int i = 0; i < text.length(); i++) {
      seen |= text.charAt(i);
    }
    return (seen & NOT_ASCII) == 0;
  }

  @Override
  public byte getByte(CharSequence text, long index) {
    return (byte) text.charAt((int) index);
  }
}
