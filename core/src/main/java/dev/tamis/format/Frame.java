package dev.tamis.format;

/** The numbers of a frame that its writer and its reader agree on. */
public final class Frame {

  /** The bytes before the payload. */
  public static final int HEADER_BYTES = 128;

  /** The bytes after the payload. */
  public static final int TRAILER_BYTES = Integer.BYTES;

  /** The offset of the hash algorithm, the first parameter of every kind. */
  public static final int HASH_AT = 24;

  /** The offset of the hash function's seed or the id of its key. */
  public static final int HASH_NUMBER_AT = 40;

  static final byte[] MAGIC = {(byte) 0x89, 'T', 'A', 'M', 'I', 'S', '\r', '\n'};
  static final int VERSION = 1;

  static final int VERSION_AT = 8;

  /** The offset of the kind. */
  public static final int KIND_AT = 10;

  static final int HEADER_BYTES_AT = 12;

  /** The offset of the length of the payload. */
  public static final int PAYLOAD_BYTES_AT = 16;

  static final int HEADER_CHECKSUM_AT = HEADER_BYTES - Integer.BYTES;

  private Frame() {}

  /** Returns the length of a whole frame with so much payload. */
  public static long bytes(long payloadBytes) {
    return HEADER_BYTES + payloadBytes + TRAILER_BYTES;
  }
}
