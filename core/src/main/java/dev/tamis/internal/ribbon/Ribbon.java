package dev.tamis.internal.ribbon;

import dev.tamis.internal.bits.Words;
import dev.tamis.internal.hashes.SortedHashes;
import dev.tamis.sizing.RibbonSizing;
import java.util.ArrayList;
import java.util.List;

/**
 * A bumped ribbon: hashes in layers, each of which takes what the one above could not place.
 *
 * <p>Immutable, and safe for any number of threads.
 */
public final class Ribbon {

  /*
   * Why this ends: what a layer bumps is rehashed for the next, which is sized for it. Whatever
   * the hashes, starts and coefficients of the second layer are random, and of random keys a layer
   * bumps one in 20. Up to 67 keys have 128 slots: none was bumped in 1,800,000 layers of 20 to 67
   * keys, and if one is, the next layer is another attempt with new random choices. 2e12 keys
   * come to 9 layers or 10, so the limit is for readers of files, and defensive otherwise.
   */

  public static final int MAX_LAYERS = 64;

  static final long MAX_BLOCKS = Words.MAX_COUNT;

  private final Words words;
  private final int columns;
  private final RibbonLayer[] layers;

  private Ribbon(Words words, int columns, RibbonLayer[] layers) {
    this.words = words;
    this.columns = columns;
    this.layers = layers;
  }

  /**
   * Returns the ribbon of {@code hashes} with an fpp of at most {@code fpp}, equal hashes included.
   *
   * <p>Takes 13 bytes per key beyond the hashes and the result.
   *
   * @param fpp from {@link RibbonSizing#MIN_FPP} to 1, exclusive
   * @param threads the most that build at once; the ribbon is the same for any number
   * @throws IllegalArgumentException if there are more than {@link RibbonSizing#MAX_KEYS}
   */
  public static Ribbon build(SortedHashes hashes, double fpp, int threads) {
    double columnsFpp = RibbonSizing.columnsFpp(hashes.count(), fpp);
    int columns = RibbonSizing.columns(hashes.count(), fpp);
    List<RibbonElimination> eliminations = new ArrayList<>();
    SortedHashes left = hashes;
    while (left.count() > 0) {
      if (eliminations.size() == MAX_LAYERS) {
        throw new IllegalStateException(
            "hashes must be well mixed, got " + left.count() + " left over by every layer");
      }
      RibbonElimination elimination = new RibbonElimination(left, columns, threads);
      eliminations.add(elimination);
      left = elimination.bumped(threads);
    }
    return solve(eliminations, columns, columnsFpp, threads);
  }

  private static Ribbon solve(
      List<RibbonElimination> eliminations, int columns, double fpp, int threads) {
    long[] narrow = new long[eliminations.size()];
    long count = 0;
    double below = 0;
    for (int i = narrow.length - 1; i >= 0; i--) {
      RibbonThresholds thresholds = eliminations.get(i).thresholds();
      narrow[i] = thresholds.narrow(fpp, columns, below);
      below = thresholds.fpp(narrow[i], columns, below);
      count += eliminations.get(i).words(narrow[i]);
    }
    Words words = Words.allocate(count);
    RibbonLayer[] layers = new RibbonLayer[narrow.length];
    long at = 0;
    for (int i = 0; i < layers.length; i++) {
      layers[i] = eliminations.get(i).solve(words, at, narrow[i], threads);
      at = layers[i].end();
    }
    return new Ribbon(words, columns, layers);
  }

  /**
   * Returns the ribbon in {@code words}, which must not change; throws if they are not a ribbon.
   */
  public static Ribbon of(Words words, int columns, int layerCount) {
    RibbonLayer[] layers = new RibbonLayer[layerCount];
    long at = 0;
    for (int i = 0; i < layerCount; i++) {
      require(words.count() - at >= RibbonLayer.HEADER_WORDS, "the words end before layer", i);
      long blocks = words.get(at);
      require(blocks >= 2 && blocks <= MAX_BLOCKS, "blocks must be 2 to " + MAX_BLOCKS, blocks);
      long narrow = words.get(at + 1);
      require(narrow >= 0 && narrow <= blocks, "narrow blocks must be 0 to " + blocks, narrow);
      long end = at + RibbonLayer.words(blocks, narrow, columns);
      require(end <= words.count(), "a layer must end by word " + words.count(), end);
      layers[i] = new RibbonLayer(words, at, columns);
      require(layers[i].thresholds().endInZeros(), "zeros must follow the thresholds of layer", i);
      at = end;
    }
    require(at == words.count(), "the layers must end at word " + words.count(), at);
    require(
        layerCount == 0 || layers[layerCount - 1].thresholds().areZero(),
        "thresholds must be 0 in the last layer",
        layerCount - 1L);
    return new Ribbon(words, columns, layers);
  }

  private static void require(boolean holds, String rule, long found) {
    if (!holds) {
      throw new IllegalArgumentException(rule + ", got " + found);
    }
  }

  public boolean mightContain(long hash) {
    long current = hash;
    for (RibbonLayer layer : layers) {
      long start = layer.start(current);
      if (!layer.isBumped(start)) {
        return layer.matches(current, start);
      }
      current = RibbonLayer.below(current);
    }
    return false;
  }

  /** Returns the fpp for a hash that equals none. Costs one pass over the thresholds. */
  public double fpp() {
    double fpp = 0;
    for (int i = layers.length - 1; i >= 0; i--) {
      fpp = layers[i].fpp(fpp);
    }
    return fpp;
  }

  /** Returns the words that {@link #of} takes; they must not be changed. */
  public Words words() {
    return words;
  }

  public int columns() {
    return columns;
  }

  public int layers() {
    return layers.length;
  }
}
