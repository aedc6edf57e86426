package dev.tamis.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Iterator;

/**
 * What one or more tasks have put: the bytes of a filter or sketch, and how many elements it was.
 *
 * <p>It travels as one array of bytes, which every serializer carries without being told about it.
 *
 * @param keys elements that had a key
 * @param nullKeys elements that had none
 * @param frame the filter or sketch
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Partial(long keys, long nullKeys, byte[] frame) {

  /** What no task has put anything into. */
  static final byte[] NONE = {};

  private static final int COUNTS_BYTES = 2 * Long.BYTES;

  static Partial of(byte[] bytes) {
    ByteBuffer counts = ByteBuffer.wrap(bytes);
    return new Partial(
        counts.getLong(), counts.getLong(), Arrays.copyOfRange(bytes, COUNTS_BYTES, bytes.length));
  }

  byte[] toByteArray() {
    return ByteBuffer.allocate(COUNTS_BYTES + frame.length)
        .putLong(keys)
        .putLong(nullKeys)
        .put(frame)
        .array();
  }

  /** Puts the elements of one task. */
  static <E> byte[] fill(byte[] empty, Iterator<E> elements, KeyHashes<E> hashes) {
    try {
      FilterBuffer<?> buffer = FilterBuffer.of(empty);
      long keys = 0;
      long nullKeys = 0;
      while (elements.hasNext()) {
        E element = elements.next();
        if (hashes.isNull(element)) {
          nullKeys++;
        } else {
          buffer.put(hashes.hash(element, buffer.function()));
          keys++;
        }
      }
      return new Partial(keys, nullKeys, buffer.toByteArray()).toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the empty filter sent to the task", e);
    }
  }

  /** Merges what two groups of tasks have put. */
  static byte[] merge(byte[] first, byte[] second) {
    if (first.length == 0 || second.length == 0) {
      return first.length == 0 ? second : first;
    }
    try {
      Partial one = of(first);
      Partial other = of(second);
      FilterBuffer<?> merged = FilterBuffer.of(one.frame);
      merged.merge(other.frame);
      return new Partial(one.keys + other.keys, one.nullKeys + other.nullKeys, merged.toByteArray())
          .toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read what a task has filled", e);
    }
  }
}
