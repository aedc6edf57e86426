package dev.tamis.cli.size;

import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sizes Bloom filters of a layout, null for the blocked one, with cells of {@code width} bits. */
public record BloomSizer(@Nullable Layout layout, int width) implements Sizer {

  public static final BloomSizer BLOCKED = new BloomSizer(null, 1);

  /** Best first, among those that satisfy the request. */
  private static final Comparator<Sizing> BEST =
      Comparator.comparingDouble(Sizing::fpp)
          .thenComparingLong(sizing -> sizing.shape().bits())
          .thenComparingLong(sizing -> -sizing.expectedKeys());

  public static BloomSizer of(Layout layout) {
    return new BloomSizer(layout, 1);
  }

  public BloomSizer withBits(int width) {
    return new BloomSizer(layout, width);
  }

  @Override
  public boolean hasHashes() {
    return true;
  }

  @Override
  public SizeRow solve(String type, Sizer.Request request) {
    Sizing sizing = best(candidates(request));
    Shape shape = sizing.shape();
    return new SizeRow(
        type,
        shape.layout().isBlocked() ? shape.layout().label() : SizeRow.NONE,
        sizing.expectedKeys(),
        bits(shape),
        shape.hashes(),
        sizing.fpp());
  }

  /** Without k the layout follows from the fpp; with k it is whichever is best and has that k. */
  private List<Sizing.Builder> candidates(Sizer.Request known) {
    if (layout != null) {
      return List.of(builder(known).layout(layout));
    }
    return known.hashes() == null
        ? List.of(builder(known))
        : Stream.of(Layout.values())
            .filter(Layout::isBlocked)
            .map(blocked -> builder(known).layout(blocked))
            .toList();
  }

  private Sizing.Builder builder(Sizer.Request known) {
    Sizing.Builder builder = Sizing.builder();
    if (known.expectedKeys() != null) {
      builder.expectedKeys(known.expectedKeys());
    }
    if (known.fpp() != null) {
      builder.fpp(known.fpp());
    }
    if (known.memoryBits() != null) {
      builder.bits(known.memoryBits() / width);
    }
    if (known.hashes() != null) {
      builder.hashes(known.hashes());
    }
    return builder;
  }

  private static Sizing best(List<Sizing.Builder> builders) {
    List<Sizing> possible = new ArrayList<>();
    IllegalArgumentException problem = null;
    for (Sizing.Builder builder : builders) {
      try {
        possible.add(builder.solve());
      } catch (IllegalArgumentException e) {
        problem = e;
      }
    }
    if (possible.isEmpty() && problem != null) {
      throw problem;
    }
    return Collections.min(possible, BEST);
  }

  private long bits(Shape shape) {
    if (width == 1) {
      return shape.bits();
    }
    long perWord = Long.SIZE / width;
    double bits = Math.ceil((double) shape.bits() / perWord) * Long.SIZE;
    if (bits > Layout.MAX_BITS) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "bits: must be at most %d, got %.0f for %d counters; lower the number of keys",
              Layout.MAX_BITS,
              bits,
              shape.bits()));
    }
    return (long) bits;
  }
}
