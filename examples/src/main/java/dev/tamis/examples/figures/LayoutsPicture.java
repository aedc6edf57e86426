package dev.tamis.examples.figures;

import dev.tamis.filter.BitPositions;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;

/** Where one key's bits are in a filter of four cache lines, in each layout. */
final class LayoutsPicture {

  private static final int LINES = 4;
  private static final int HASHES = 8;
  private static final double BIT = 1.2;
  private static final int LEFT = 130;
  private static final int ROW = 17;
  private static final int PANEL = 104;
  private static final String KEY = "cherry";

  private LayoutsPicture() {}

  static String drawn() {
    int width = LEFT + (int) (Layout.LINE_BITS * BIT) + 30;
    Svg svg =
        new Svg(
            width,
            50 + Layout.values().length * PANEL,
            "Where a key’s bits may be, in a filter of four cache lines");
    svg.text(20, 28, "start", 17, Svg.INK, "A key’s bits in a filter of four cache lines");
    double top = 54 - PANEL;
    for (Layout layout : Layout.values()) {
      top += PANEL;
      svg.text(20, top + 30, "start", 14, Svg.INK, layout.name());
      svg.text(LEFT, top + 8, "start", 12, Svg.FAINT, words(layout));
      for (int line = 0; line < LINES; line++) {
        svg.box(LEFT, top + 14 + line * ROW, Layout.LINE_BITS * BIT, ROW - 4, "#f2f4f8", "#c4cad4");
        for (int word = 1; word < Layout.LINE_BITS / Long.SIZE; word++) {
          double x = LEFT + word * Long.SIZE * BIT;
          svg.line(x, top + 14 + line * ROW, x, top + 10 + (line + 1) * ROW, "#dde1e8", 1);
        }
      }
      BloomFilter<String> filter =
          BloomFilter.<String>builder(KeyHasher.text())
              .layout(layout)
              .bits((long) LINES * Layout.LINE_BITS)
              .hashes(Math.max(HASHES, layout.minHashes()))
              .build();
      BitPositions positions = BitPositions.of(filter.shape());
      for (int probe = 0; probe < positions.count(); probe++) {
        int bit = (int) positions.position(filter.hashOf(KEY), probe);
        svg.rectangle(
            LEFT + bit % Layout.LINE_BITS * BIT - 1,
            top + 14 + bit / Layout.LINE_BITS * ROW,
            3.2,
            ROW - 4.0,
            "#d93025");
      }
    }
    return svg.finished();
  }

  private static String words(Layout layout) {
    return switch (layout) {
      case CLASSIC -> "eight bits anywhere";
      case PARTITIONED -> "one in each of eight slices";
      default -> {
        int lines = layout.linesPerKey();
        yield (layout.hashStep() > lines ? "one in each word of " : "anywhere in ")
            + (lines == 1 ? "one cache line" : lines + " cache lines");
      }
    };
  }
}
