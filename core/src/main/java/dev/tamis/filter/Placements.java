package dev.tamis.filter;

import dev.tamis.internal.bits.LinePlacement;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.ScatteredPlacement;
import dev.tamis.internal.bits.SplitPlacement;
import dev.tamis.sizing.Shape;

/** Finds the code that places bits for a shape. */
final class Placements {

  private Placements() {}

  static Placement of(Shape shape) {
    long bits = shape.bits();
    int hashes = shape.hashes();
    return switch (shape.layout()) {
      case CLASSIC -> ScatteredPlacement.classic(bits, hashes);
      case PARTITIONED -> ScatteredPlacement.partitioned(bits, hashes);
      case LINE -> new LinePlacement(bits, 1, hashes);
      case SPLIT -> new SplitPlacement(bits, hashes / 8);
      case TWO_LINES -> new LinePlacement(bits, 2, hashes / 2);
    };
  }
}
