package dev.tamis.spark;

import dev.tamis.sizing.Shape;
import java.io.Serializable;

/**
 * A filter divided into ranges of whole cache lines.
 *
 * @param lines the lines of the filter
 * @param count the slices, at most one for each line
 */
record Slices(long lines, int count) implements Serializable {

  private static final int LINE_BITS = 512;

  static Slices of(Shape shape, int count) {
    long lines = shape.bits() / LINE_BITS;
    if (!shape.layout().isBlocked()) {
      throw new IllegalArgumentException(
          "layout: must be blocked, so that the bits of a key are in one slice or two, got "
              + shape.layout().label());
    }
    if (count < 1 || count > lines) {
      throw new IllegalArgumentException(
          "slices must be 1 to the filter's " + lines + " cache lines, got " + count);
    }
    return new Slices(lines, count);
  }

  /** Returns the first bit of a slice, or the end of the last one. */
  long firstBit(int slice) {
    return lines * slice / count * LINE_BITS; // below 2^59, as a filter has at most 2^28 lines
  }

  /** Returns the slice that has this bit. */
  int of(long bit) {
    int slice = (int) ((double) bit / LINE_BITS * count / lines);
    slice = Math.min(slice, count - 1);
    while (bit < firstBit(slice)) {
      slice--;
    }
    while (bit >= firstBit(slice + 1)) {
      slice++;
    }
    return slice;
  }
}
