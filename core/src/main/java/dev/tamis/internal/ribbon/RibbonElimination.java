package dev.tamis.internal.ribbon;

import static dev.tamis.sizing.RibbonSizing.BLOCK_SLOTS;
import static dev.tamis.sizing.RibbonSizing.BUCKET_STARTS;

import dev.tamis.internal.bits.Words;
import dev.tamis.internal.hashes.HashCollector;
import dev.tamis.internal.hashes.Parts;
import dev.tamis.internal.hashes.SortedHashes;
import dev.tamis.sizing.RibbonSizing;
import java.util.function.IntConsumer;

/**
 * One layer of a ribbon filter under construction: which of its keys stay, and their equations.
 *
 * <p>Not safe for concurrent use.
 */
final class RibbonElimination {

  /*
   * A layer has more keys than starts. So it hardly has a row that is empty, and what is bumped has
   * to be stored once whatever the layer.
   *
   * Sections are made independently of each other, by several threads or by one. All keys of the
   * bucket between two are bumped. The equations before it reach into its first block at most; the
   * slots of its second block are in no equation and zero, so what is before them can be solved
   * whatever comes after. That costs one bucket in 4,000 or fewer.
   */

  /** The least keys of a section where there is more than one. */
  static final long MIN_SECTION_KEYS = 1L << 19;

  private static final int MAX_SECTION_BITS = 20;

  private final long blocks;
  private final int columns;
  private final RibbonThresholds thresholds;
  private final HashCollector bumped = new HashCollector();
  private final RibbonSection[] sections;

  /** Takes all of {@code hashes}; those that do not fit are {@link #bumped}. */
  RibbonElimination(SortedHashes hashes, int columns, int threads) {
    this.blocks = RibbonSizing.blocks(hashes.count());
    this.columns = columns;
    this.thresholds = RibbonThresholds.none(blocks);
    long starts = RibbonLayer.starts(blocks);
    int bits = sectionBits(hashes.count());
    this.sections = new RibbonSection[1 << bits];
    long[] ends = new long[sections.length];
    for (int i = 0; i < sections.length - 1; i++) {
      long shared = RibbonThresholds.bucket(RibbonLayer.start((i + 1L) << -bits, starts));
      thresholds.raiseAbove((shared + 1) * BUCKET_STARTS - 1);
      ends[i] = shared * BUCKET_STARTS / BLOCK_SLOTS + 1;
    }
    ends[sections.length - 1] = blocks;
    long[] counts = hashes.counts(bits);
    Parts.run(sections.length, threads, () -> new Taker(hashes.reader(), counts, ends));
  }

  private static int sectionBits(long keys) {
    long sections = Long.highestOneBit(Math.max(1, keys / MIN_SECTION_KEYS));
    return Math.min(MAX_SECTION_BITS, Long.numberOfTrailingZeros(sections));
  }

  /** Fills some of the sections, in ascending order. */
  private final class Taker implements IntConsumer {
    private final SortedHashes.Reader reader;
    private final long[] counts;
    private final long[] ends;
    private int next;

    Taker(SortedHashes.Reader reader, long[] counts, long[] ends) {
      this.reader = reader;
      this.counts = counts;
      this.ends = ends;
    }

    @Override
    public void accept(int index) {
      for (; next < index; next++) {
        reader.skip(counts[next]);
      }
      long first = index == 0 ? 0 : ends[index - 1];
      long starts = RibbonLayer.starts(blocks);
      sections[index] = new RibbonSection(starts, first, ends[index], thresholds, bumped);
      sections[index].take(reader, counts[index]);
      next++;
    }
  }

  SortedHashes bumped(int threads) {
    return bumped.sorted(threads);
  }

  RibbonThresholds thresholds() {
    return thresholds;
  }

  long words(long narrow) {
    return RibbonLayer.words(blocks, narrow, columns);
  }

  /** Solves and frees the equations, and writes the layer from word {@code at} on. */
  RibbonLayer solve(Words words, long at, long narrow, int threads) {
    words.set(at, blocks);
    words.set(at + 1, narrow);
    thresholds.copyTo(words, at + RibbonLayer.HEADER_WORDS);
    RibbonLayer layer = new RibbonLayer(words, at, columns);
    Parts.run(
        sections.length, threads, () -> section -> sections[section].solve(words, layer, columns));
    return layer;
  }
}
