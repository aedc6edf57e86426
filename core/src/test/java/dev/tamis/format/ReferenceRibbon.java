package dev.tamis.format;

import static dev.tamis.format.ReferenceFrame.HEADER;
import static dev.tamis.format.ReferenceFrame.TRAILER;
import static dev.tamis.format.ReferenceFrame.get;
import static dev.tamis.format.ReferenceFrame.require;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A frame of kind 7, read as docs/format.md has it and without a line of the code that does it. */
final class ReferenceRibbon implements ReferenceFilter {

  private static final int[] THRESHOLDS = {0, 16, 40, 128};

  private final List<Layer> layers;

  private ReferenceRibbon(List<Layer> layers) {
    this.layers = layers;
  }

  static ReferenceRibbon read(byte[] file) throws ReferenceFrame.Refused {
    ReferenceFrame.requireFrame(file, 7);
    require(get(file, 24, 2) == 1, "hash");
    long c = get(file, 26, 2);
    long count = get(file, 28, 4);
    long n = get(file, 48, 8);
    double fpp = Double.longBitsToDouble(get(file, 56, 8));
    require(c >= 1 && c <= 32, "columns");
    require(count <= 64, "layers");
    ReferenceFrame.requireZeros(file, 32, 40);
    require(n >= 0 && n <= 1L << 41, "keys");
    require((n == 0) == (count == 0), "keys without layers or layers without keys");
    require(fpp >= Math.scalb(1.0, -31) && fpp < 1, "fpp");
    ReferenceFrame.requireKeyType(file, 64);
    byte[] rest = Arrays.copyOfRange(file, HEADER, file.length - TRAILER);
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Layer layer = Layer.read(rest, (int) c, i == count - 1);
      layers.add(layer);
      rest = Arrays.copyOfRange(rest, layer.length, rest.length);
    }
    require(rest.length == 0, "payload length");
    return new ReferenceRibbon(layers);
  }

  @Override
  public boolean mightContain(long h) {
    long g = h;
    for (Layer layer : layers) {
      if (!layer.hasBumped(g)) {
        return layer.mightContain(g);
      }
      g = ReferencePositions.draw(g, 3);
    }
    return false;
  }

  /** Blocks with their thresholds, for those keys that no layer before them has kept. */
  private static final class Layer {
    private final byte[] bytes;
    private final int length;
    private final int c;
    private final long blocks;
    private final long narrow;
    private final int columnsAt;

    private Layer(byte[] bytes, int c) {
      this.bytes = bytes;
      this.c = c;
      this.blocks = get(bytes, 0, 8);
      this.narrow = get(bytes, 8, 8);
      this.columnsAt = (int) (16 + 8 * wordsOfThresholds(blocks));
      this.length = (int) (columnsAt + 8 * (blocks * c - narrow));
    }

    static Layer read(byte[] bytes, int c, boolean last) throws ReferenceFrame.Refused {
      require(bytes.length >= 16, "a layer's numbers");
      long blocks = get(bytes, 0, 8);
      long narrow = get(bytes, 8, 8);
      require(blocks >= 2 && blocks <= 1L << 38, "blocks");
      require(narrow >= 0 && narrow <= blocks, "narrow blocks");
      long words = 2 + wordsOfThresholds(blocks) + blocks * c - narrow;
      require(words <= bytes.length / 8, "payload length");
      Layer layer = new Layer(bytes, c);
      long used = last ? 0 : 2 * (blocks / 2);
      ReferenceBits.requireZeros(bytes, 128 + used, 8L * layer.columnsAt);
      return layer;
    }

    boolean hasBumped(long g) {
      long s = start(g);
      long t = s / 128;
      int code = (int) ReferenceBits.get(bytes, 128 + 64 * (t / 32) + 2 * (t % 32), 2);
      return s % 128 < THRESHOLDS[code];
    }

    boolean mightContain(long g) {
      long s = start(g);
      long q = ReferencePositions.draw(g, 1) | 1;
      long r = ReferencePositions.draw(g, 2);
      long w = s / 64 < narrow ? c - 1 : c;
      for (int i = 0; i < w; i++) {
        long sum = 0;
        for (int j = 0; j < 64; j++) {
          sum ^= (q >>> j & 1) * bit(s + j, i);
        }
        if (sum != (r >>> i & 1)) {
          return false;
        }
      }
      return true;
    }

    private long bit(long slot, int column) {
      long block = slot / 64;
      long word = block * c - Math.min(block, narrow) + column;
      return ReferenceBits.get(bytes, 8 * (columnsAt + 8 * word) + slot % 64, 1);
    }

    private long start(long g) {
      return ReferencePositions.reduce(g, 64 * (blocks - 1));
    }

    private static long wordsOfThresholds(long blocks) {
      return (blocks / 2 + 31) / 32;
    }
  }
}
