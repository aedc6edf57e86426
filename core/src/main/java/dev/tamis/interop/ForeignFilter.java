package dev.tamis.interop;

import dev.tamis.DropAware;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Mergeable;
import dev.tamis.MutableFilter;
import dev.tamis.Overlapping;
import dev.tamis.Storable;
import dev.tamis.hash.HashId;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;

/**
 * A filter that another program can read: its bits lie where that program looks for them.
 *
 * <p>It answers as the other program does, false positives included, as long as the hasher selects
 * the bytes of a key that the other program hashes; each class says which of ours do. Where a hash
 * of 64 bits determines the positions, the filter is a {@link HashedMutableFilter} too.
 *
 * <p>There are two ways to write one: {@link #writeForeignTo} gives the other program's bytes,
 * which have no checksum, {@link #writeTo} the same within a frame of Tamis' own. A key whose put
 * returned before the call is in either.
 *
 * <p>Any number of threads may use one filter. Of all puts of a key exactly one returns true,
 * unless the filter already reported the key when that put took effect: a false positive as in one
 * thread, counted by {@link #expectedWrongDrops}. Once any put of a key has returned, {@code
 * mightContain} is true for it. Lookups never wait, and a put waits only for another of the same
 * stripe of keys, some nanoseconds.
 *
 * @param <T> the type of key
 */
public sealed interface ForeignFilter<T>
    extends MutableFilter<T>,
        DropAware,
        Mergeable<ForeignFilter<T>>,
        Overlapping<ForeignFilter<T>>,
        Storable
    permits ForeignBits {

  /** Returns the format. */
  ForeignFormat format();

  /** Returns the other program's hash function. */
  HashId hashId();

  /** Returns the number of set bits. Costs one pass. */
  long setBits();

  /** Returns the length of the other program's bytes. */
  long foreignSize();

  /** Writes the other program's bytes. The stream is flushed and left open. */
  void writeForeignTo(OutputStream out) throws IOException;

  /** Returns the other program's bytes; an IllegalStateException if an array cannot hold them. */
  default byte[] toForeignBytes() {
    if (foreignSize() > MAX_ARRAY_BYTES) {
      throw new IllegalStateException(
          "filter: foreign size: at most "
              + MAX_ARRAY_BYTES
              + " bytes in an array, got "
              + foreignSize()
              + "; use writeForeignTo");
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
