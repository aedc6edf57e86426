package dev.tamis.tools.network;

import dev.tamis.format.Codec;

/** Updates whose checksum is right whatever they say. */
final class Sealed {

  private Sealed() {}

  /** Returns the bytes with their last four replaced by the checksum of those before. */
  static byte[] seal(byte[] bytes) {
    byte[] sealed = bytes.clone();
    Codec.putChecksum(sealed, sealed.length - TableUpdate.CHECKSUM_BYTES);
    return sealed;
  }
}
