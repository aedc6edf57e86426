package dev.tamis.blocklist;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** The hashes of a list in ascending unsigned order, in memory or mapped from a file. */
final class ExactHashes {

  /** The hashes in each part but the last: 1 GiB, within what can be mapped at once. */
  static final long PART_HASHES = 1L << 27;

  private final List<ByteBuffer> parts;
  private final long count;

  /**
   * Takes what is there.
   *
   * @param parts {@link #PART_HASHES} hashes each, in little-endian order, the last one with the
   *     rest
   */
  ExactHashes(List<ByteBuffer> parts, long count) {
    this.parts =
        parts.stream().map(part -> part.duplicate().order(ByteOrder.LITTLE_ENDIAN)).toList();
    this.count = count;
  }

  long count() {
    return count;
  }

  long get(long index) {
    return parts.get((int) (index / PART_HASHES)).getLong((int) (index % PART_HASHES) * Long.BYTES);
  }

  boolean contains(long hash) {
    long low = 0;
    long high = count;
    while (low < high) {
      long middle = (low + high) >>> 1;
      int order = Long.compareUnsigned(get(middle), hash);
      if (order == 0) {
        return true;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return false;
  }
}
