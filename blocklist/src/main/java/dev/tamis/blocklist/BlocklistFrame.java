package dev.tamis.blocklist;

/** The numbers of a block list's file that its writer and its reader agree on: docs/format.md. */
final class BlocklistFrame {

  static final byte[] MAGIC = {(byte) 0x89, 'T', 'B', 'L', 'K', 'S', '\r', '\n'};
  static final int VERSION = 1;

  static final int VERSION_AT = 8;
  static final int FLAGS_AT = 10;
  static final int LISTS_AT = 12;
  static final int FILE_BYTES_AT = 16;
  static final int FPP_AT = 24;
  static final int ALLOW_ENTRIES_AT = 32;
  static final int HASH_AT = 36;
  static final int ZEROS_AT = 38;
  static final int HASH_NUMBER_AT = 40;
  static final int MORE_ZEROS_AT = 48;
  static final int HEADER_CHECKSUM_AT = 60;
  static final int HEADER_BYTES = 64;
  static final int TRAILER_BYTES = 4;

  static final int IGNORES_TAGS = 1;
  static final int EXACT = 2;

  static final int BY_HAND = 1;
  static final int KNOWN_GOOD = 2;

  static final long KINDS = 1L << KeyForms.ADDRESSES_BIT | 1L << KeyForms.HOSTS_BIT;

  /** The words of {@link KeyForms} that every list has, from this one on. */
  static final int FIRST_FORMS = KeyForms.WHOLE_DOMAINS;

  static final int LAST_FORMS = KeyForms.URLS;

  /** The bytes of a list before its exceptions, without its name and the URLs of domains. */
  static final int LIST_BYTES = 2 + 2 + (LAST_FORMS - FIRST_FORMS + 2) * Long.BYTES + 4;

  /** The bytes of an allow entry without its text. */
  static final int ALLOW_BYTES = 2 + 1;

  private BlocklistFrame() {}
}
