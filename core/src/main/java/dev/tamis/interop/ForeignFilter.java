package dev.tamis.interop;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.MutableFilter;
import dev.tamis.Storable;
import dev.tamis.hash.HashId;
import dev.tamis.sizing.Overlap;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;

/**
 * A filter that another program can read: its bits lie where that program looks for them.
 *
 * <p>It answers as the other program does, false positives included, as long as the hasher picks
 * the bytes of a key that the other program picks; each class says which of ours do. Whatever has
 * room for a hash of 64 bits is a {@link MutableFilter} too.
 *
 * <p>There are two ways to write one: {@link #writeForeignTo} gives the other program's bytes,
 * which have no checksum, {@link #writeTo} the same within a frame of Tamis' own. Not safe for
 * concurrent writers; any number of threads may ask as long as none puts.
 *
 * @param <T> the type of key
 */
public sealed interface ForeignFilter<T> extends Storable permits ForeignBits {

  /** Returns whose bytes these are. */
  ForeignFormat format();

  /** Returns the other program's hash function. */
  HashId hashId();

  /**
   * Returns what two filters must agree in to be merged, by the names for people: the variant of
   * the format, the number of bits and of hashes, the seed where there is one.
   */
  Map<String, Object> traits();

  /**
   * Puts {@code key} in, by the other program's hash. Afterwards {@code mightContain(key)} is true
   * here and there.
   *
   * @return true if {@code key} was certainly new; false if it was probably here already
   * @throws NullPointerException if {@code key} is null
   */
  boolean put(T key);

  /**
   * Returns {@code false} if {@code key} is certainly absent, {@code true} if it is probably
   * present: the other program's answer.
   *
   * @throws NullPointerException if {@code key} is null
   */
  boolean mightContain(T key);

  /** Returns how many keys the filter took as new, with those that came with its bytes. */
  long acceptedKeys();

  /**
   * Returns how many new keys put has wrongly taken for old ones, as {@link MutableFilter} does.
   */
  double expectedWrongDrops();

  /**
   * Returns the probability, in [0, 1], that a key never put is reported present, from the bits as
   * they are and the chance of each to be looked at. Costs one pass over the bits.
   */
  double expectedFpp();

  /**
   * Returns how many distinct keys there are, as far as the bits tell, with the interval that holds
   * the number 95 times in 100. Costs one pass over them.
   */
  Estimate approximateElementCount();

  /** Does what {@link #approximateElementCount()} does with another interval. */
  Estimate approximateElementCount(Confidence confidence);

  /** Returns the memory that holds the keys, in bits. */
  long bitSize();

  /** Returns how many bits are one. Costs one pass over them. */
  long ones();

  /** Returns what keeps the two from being merged, with both values, or nothing. */
  Optional<String> incompatibility(ForeignFilter<?> other);

  /**
   * Puts everything in that {@code other} holds.
   *
   * @throws IllegalArgumentException if the two are not compatible, naming what differs; nothing
   *     has changed then
   */
  void putAll(ForeignFilter<T> other);

  /** Estimates how many keys the two have in common, with intervals that hold 95 times in 100. */
  default Overlap estimateOverlap(ForeignFilter<T> other) {
    return estimateOverlap(other, Confidence.DEFAULT);
  }

  /**
   * Estimates how many keys the two have in common. Costs one pass over both.
   *
   * @throws IllegalArgumentException if the two are not compatible, naming what differs
   */
  Overlap estimateOverlap(ForeignFilter<T> other, Confidence confidence);

  /** Returns an independent filter with the same bits. */
  ForeignFilter<T> copy();

  /** Forgets all keys. */
  void clear();

  /** Returns how many bytes {@link #writeForeignTo} writes. */
  long foreignSize();

  /**
   * Writes the other program's bytes. The stream is flushed and left open.
   *
   * @throws IOException if {@code out} fails
   */
  void writeForeignTo(OutputStream out) throws IOException;

  /**
   * Returns what {@link #writeForeignTo} writes.
   *
   * @throws IllegalStateException if that is more than an array holds
   */
  default byte[] toForeignBytes() {
    if (foreignSize() > MAX_ARRAY_BYTES) {
      throw new IllegalStateException(
          "it takes " + foreignSize() + " bytes, an array holds at most " + MAX_ARRAY_BYTES);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) foreignSize());
    try {
      writeForeignTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("an array cannot fail", e);
    }
    return bytes.toByteArray();
  }
}
