package dev.tamis.spark;

import dev.tamis.filter.BitPositions;
import dev.tamis.filter.LineRanges;
import dev.tamis.format.Codec;
import dev.tamis.hash.HashFunction;
import dev.tamis.sizing.Shape;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import scala.Tuple2;

/**
 * The keys of a task as chunks of hashes, each for the slice that has the keys' bits.
 *
 * <p>A chunk is one record of the shuffle, so that a key costs eight bytes there, or sixteen where
 * its two lines are in different slices. The chunks being filled take {@link #MEMORY_BYTES} at
 * most.
 */
final class SliceHashes<E> implements Iterator<Tuple2<Integer, byte[]>> {

  /** All chunks of a task together, unless there are more slices than would fit. */
  private static final int MEMORY_BYTES = 8 << 20;

  private static final int MAX_CHUNK_BYTES = 1 << 13;
  private static final int MIN_CHUNK_BYTES = 1 << 8;

  private final Iterator<E> elements;
  private final KeyHashes<E> hashes;
  private final HashFunction function;
  private final BitPositions positions;
  private final int positionsPerLine;
  private final LineRanges slices;
  private final int chunkBytes;
  private final ByteBuffer[] chunks;
  private final Queue<Tuple2<Integer, byte[]>> ready = new ArrayDeque<>();
  private int flushed;
  private long keys;
  private long nullKeys;

  SliceHashes(
      Iterator<E> elements,
      KeyHashes<E> hashes,
      HashFunction function,
      Shape shape,
      LineRanges slices) {
    this.elements = elements;
    this.hashes = hashes;
    this.function = function;
    this.positions = BitPositions.of(shape);
    this.positionsPerLine = positions.count() / shape.layout().linesPerKey();
    this.slices = slices;
    int share = MEMORY_BYTES / slices.count() / Long.BYTES * Long.BYTES;
    this.chunkBytes = Math.max(MIN_CHUNK_BYTES, Math.min(MAX_CHUNK_BYTES, share));
    this.chunks = new ByteBuffer[slices.count()];
  }

  @Override
  public boolean hasNext() {
    while (ready.isEmpty() && elements.hasNext()) {
      E element = elements.next();
      if (hashes.isNull(element)) {
        nullKeys++;
      } else {
        keys++;
        add(hashes.hash(element, function));
      }
    }
    while (ready.isEmpty() && flushed < chunks.length) {
      flush(flushed++);
    }
    return !ready.isEmpty();
  }

  private void add(long hash) {
    int previous = -1;
    for (int i = 0; i < positions.count(); i += positionsPerLine) {
      int slice = slices.rangeOf(positions.position(hash, i));
      if (slice != previous) {
        add(slice, hash);
      }
      previous = slice;
    }
  }

  private void add(int slice, long hash) {
    ByteBuffer chunk = chunks[slice];
    if (chunk == null) {
      chunk = Codec.buffer(chunkBytes);
      chunks[slice] = chunk;
    }
    chunk.putLong(hash);
    if (!chunk.hasRemaining()) {
      flush(slice);
    }
  }

  @SuppressWarnings("ByteBufferBackingArray") // each chunk has an array of its own
  private void flush(int slice) {
    ByteBuffer chunk = chunks[slice];
    if (chunk != null) {
      byte[] bytes = chunk.array();
      ready.add(
          new Tuple2<>(
              slice, chunk.hasRemaining() ? Arrays.copyOf(bytes, chunk.position()) : bytes));
      chunks[slice] = null;
    }
  }

  @Override
  public Tuple2<Integer, byte[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ready.remove();
  }

  /** Returns how many elements so far had a key. */
  long keys() {
    return keys;
  }

  /** Returns how many elements so far had none. */
  long nullKeys() {
    return nullKeys;
  }
}
