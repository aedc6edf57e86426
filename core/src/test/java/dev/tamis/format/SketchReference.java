package dev.tamis.format;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The payloads of kinds 8 and 9 of docs/format.md, written down from that text alone: slow, and
 * without a line of the code that does it.
 */
final class SketchReference {

  private SketchReference() {}

  static final class Counters {
    private final long[][] rows;
    private final boolean conservative;

    Counters(int d, int w, boolean conservative) {
      this.rows = new long[d][w];
      this.conservative = conservative;
    }

    void put(long h, long t) {
      long least = count(h) + t;
      for (int r = 0; r < rows.length; r++) {
        int i = position(h, r);
        rows[r][i] = conservative ? Math.max(rows[r][i], least) : rows[r][i] + t;
      }
    }

    long count(long h) {
      long least = Long.MAX_VALUE;
      for (int r = 0; r < rows.length; r++) {
        least = Math.min(least, rows[r][position(h, r)]);
      }
      return least;
    }

    private int position(long h, int r) {
      return (int) ReferencePositions.reduce(ReferencePositions.draw(h, r), rows[r].length);
    }

    byte[] payload() {
      byte[] payload = new byte[8 * rows.length * rows[0].length];
      for (int r = 0; r < rows.length; r++) {
        for (int i = 0; i < rows[r].length; i++) {
          ReferenceFrame.set(payload, 8 * (r * rows[r].length + i), 8, rows[r][i]);
        }
      }
      return payload;
    }
  }

  /** Registers, each as the set of all ranks its keys had. */
  static final class Registers {
    private final int p;
    private final List<SortedSet<Integer>> ranks = new ArrayList<>();

    Registers(int p) {
      this.p = p;
      for (int i = 0; i < 1 << p; i++) {
        ranks.add(new TreeSet<>());
      }
    }

    void put(long h) {
      int zeros = 0;
      while (zeros < 64 - p && (h >>> (63 - p - zeros) & 1) == 0) {
        zeros++;
      }
      ranks.get((int) (h >>> (64 - p))).add(p - 1 + zeros);
    }

    byte[] payload() {
      byte[] payload = new byte[1 << p];
      for (int i = 0; i < payload.length; i++) {
        SortedSet<Integer> of = ranks.get(i);
        if (!of.isEmpty()) {
          int u = of.last();
          payload[i] = (byte) (4 * u + (of.contains(u - 1) ? 2 : 0) + (of.contains(u - 2) ? 1 : 0));
        }
      }
      return payload;
    }
  }
}
