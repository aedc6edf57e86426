package dev.tamis.tools.network;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Updates whose checksum is right whatever they say. */
final class Sealed {

  private Sealed() {}

  /** Returns the bytes with their last four replaced by the checksum of those before. */
  static byte[] seal(byte[] bytes) {
    byte[] sealed = bytes.clone();
    int end = sealed.length - TableUpdate.CHECKSUM_BYTES;
    ByteBuffer.wrap(sealed)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(end, TableUpdate.checksum(sealed, end));
    return sealed;
  }
}
