package dev.tamis.filter;

import dev.tamis.internal.bits.LinePlacement;
import dev.tamis.internal.bits.MappablePlacement;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.ScatteredPlacement;
import dev.tamis.internal.bits.SplitPairPlacement;
import dev.tamis.internal.bits.SplitPlacement;
import dev.tamis.sizing.Shape;
import java.util.Objects;

/**
 * Which bits of a Bloom filter's array belong to a key, for arrays stored elsewhere.
 *
 * <p>A {@link BloomFilter} of the same shape has exactly these bits set for a key, so an array
 * filled by them is the payload of its file: bit i is bit {@code i & 7}, counted from the least
 * significant, of byte {@code i >>> 3}. In words: docs/format.md.
 *
 * <p>Immutable, and safe for any number of threads.
 */
public final class BitPositions {

  private final Placement placement;

  private BitPositions(Placement placement) {
    this.placement = placement;
  }

  /** Returns the positions in a filter of this shape. */
  public static BitPositions of(Shape shape) {
    return new BitPositions(placement(shape));
  }

  /** Returns how many positions a key has; some of them may be the same. */
  public int count() {
    return placement.probes();
  }

  /**
   * Returns one of the positions of the key with this hash, in [0, m).
   *
   * @param index 0 to {@link #count()}, exclusive
   */
  public long position(long hash, int index) {
    return placement.position(hash, Objects.checkIndex(index, placement.probes()));
  }

  static MappablePlacement placement(Shape shape) {
    long bits = shape.bits();
    int hashes = shape.hashes();
    int perWord = hashes / shape.layout().hashStep();
    return switch (shape.layout()) {
      case CLASSIC -> ScatteredPlacement.classic(bits, hashes);
      case PARTITIONED -> ScatteredPlacement.partitioned(bits, hashes);
      case LINE -> new LinePlacement(bits, hashes);
      case SPLIT -> new SplitPlacement(bits, perWord);
      case SPLIT_PAIR -> new SplitPairPlacement(bits, perWord);
    };
  }
}
