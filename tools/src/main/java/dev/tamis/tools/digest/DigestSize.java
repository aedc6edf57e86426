package dev.tamis.tools.digest;

import dev.tamis.sizing.Checks;
import java.util.Locale;

/**
 * How large a digest is: the entries it is made for and the bits that each of them gets.
 *
 * <p>The product is at most {@link #MAX_BITS}, because Squid keeps it in 31 bits.
 *
 * @param capacity the entries, at least 1
 * @param bitsPerEntry the bits for each, from 1 to 255; Squid's {@code digest_bits_per_entry}
 */
public record DigestSize(int capacity, int bitsPerEntry) {

  /** What Squid takes unless its configuration says otherwise. */
  public static final int DEFAULT_BITS_PER_ENTRY = 5;

  /** The format has one byte for it. */
  public static final int MAX_BITS_PER_ENTRY = 255;

  /** The most that capacity times bits can come to: Squid asserts that 8 more fit in an int. */
  public static final long MAX_BITS = Integer.MAX_VALUE - (long) Byte.SIZE;

  /** Checks the ranges. */
  public DigestSize {
    Checks.range("bitsPerEntry", bitsPerEntry, 1, MAX_BITS_PER_ENTRY);
    long most = mostEntries(bitsPerEntry);
    if (capacity < 1 || capacity > most) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "capacity must be 1 to %d with %d bits for each entry, got %d",
              most,
              bitsPerEntry,
              capacity));
    }
  }

  /** Returns the size for {@code capacity} entries of {@link #DEFAULT_BITS_PER_ENTRY} bits. */
  public static DigestSize ofEntries(int capacity) {
    return new DigestSize(capacity, DEFAULT_BITS_PER_ENTRY);
  }

  /** Returns the largest capacity with {@code bitsPerEntry}. */
  public static long mostEntries(int bitsPerEntry) {
    return MAX_BITS / bitsPerEntry;
  }

  /** Returns the bytes of the digest's bits, without its header. */
  public int maskBytes() {
    return (int) (((long) capacity * bitsPerEntry + Byte.SIZE - 1) / Byte.SIZE);
  }

  /** Returns m, the bits of the digest: those of whole bytes. */
  public long bits() {
    return (long) Byte.SIZE * maskBytes();
  }
}
