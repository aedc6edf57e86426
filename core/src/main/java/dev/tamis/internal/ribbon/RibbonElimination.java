package dev.tamis.internal.ribbon;

import static dev.tamis.sizing.RibbonSizing.BLOCK_SLOTS;

import dev.tamis.internal.bits.Words;
import dev.tamis.internal.hashes.HashCollector;
import dev.tamis.internal.hashes.SortedHashes;
import dev.tamis.sizing.RibbonSizing;

/**
 * One layer of a ribbon filter under construction: which of its keys stay, and their equations.
 *
 * <p>Not safe for concurrent use.
 */
final class RibbonElimination {

  /*
   * Buckets go from left to right, the keys of a bucket from right to left. When the equation of
   * one cannot be placed, it and the rest of the bucket are bumped, so that one threshold says
   * which [1]. Thresholds are coarse: keys just above the one that failed are taken out again,
   * which is clearing their rows, because no equation of a key that stays came after theirs.
   *
   * A layer has more keys than starts. So it hardly has a row that is empty, and what is bumped has
   * to be stored once whatever the layer.
   *
   * A bucket has 134 keys and never a thousand, unless the hashes given are not mixed. Those are
   * bumped, and mixed in the layer below.
   *
   * [1] Dillinger, Hübschle-Schneider, Sanders, Walzer 2022: Fast Succinct Retrieval and
   * Approximate
   *     Membership Using Ribbon, https://doi.org/10.4230/LIPIcs.SEA.2022.4
   */

  static final int MAX_BUCKET_KEYS = 1024;

  private static final int BATCH = 1024;

  private final long blocks;
  private final long starts;
  private final int columns;
  private final RibbonRows rows;
  private final RibbonThresholds thresholds;
  private final HashCollector bumped = new HashCollector();

  private final long[] bucketHashes = new long[MAX_BUCKET_KEYS];
  private final long[] bucketRows = new long[MAX_BUCKET_KEYS];
  private long bucket;
  private int bucketKeys;
  private boolean overfull;

  /** Takes all of {@code hashes}; those that do not fit are {@link #bumped}. */
  RibbonElimination(SortedHashes hashes, int columns) {
    this.blocks = RibbonSizing.blocks(hashes.count());
    this.starts = RibbonLayer.starts(blocks);
    this.columns = columns;
    this.rows = new RibbonRows(blocks * BLOCK_SLOTS);
    this.thresholds = RibbonThresholds.none(blocks);
    SortedHashes.Reader reader = hashes.reader();
    long[] batch = new long[(int) Math.min(BATCH, hashes.count())];
    for (long left = hashes.count(); left > 0; left -= batch.length) {
      int count = (int) Math.min(batch.length, left);
      reader.read(batch, count);
      for (int i = 0; i < count; i++) {
        take(batch[i]);
      }
    }
    finishBucket();
    rows.finish();
  }

  /** Returns the hashes that the layer below has to take. */
  SortedHashes bumped() {
    return bumped.sorted();
  }

  private void take(long hash) {
    long next = RibbonThresholds.bucket(start(hash));
    if (next != bucket) {
      finishBucket();
      bucket = next;
      rows.moveTo(start(hash));
    }
    if (bucketKeys == MAX_BUCKET_KEYS) {
      bumpAll();
    }
    if (overfull) {
      bump(hash);
    } else {
      bucketHashes[bucketKeys++] = hash;
    }
  }

  private void bumpAll() {
    overfull = true;
    thresholds.raiseAbove(lastStart());
    bumpFirst(bucketKeys);
    bucketKeys = 0;
  }

  private void finishBucket() {
    for (int i = bucketKeys - 1; i >= 0; i--) {
      long hash = bucketHashes[i];
      bucketRows[i] =
          rows.place(start(hash), RibbonLayer.coefficients(hash), RibbonLayer.results(hash));
      if (bucketRows[i] < 0) {
        bumpFrom(i);
        break;
      }
    }
    bucketKeys = 0;
    overfull = false;
  }

  /** Bumps the key that failed, all before it, and those after it that are below the threshold. */
  private void bumpFrom(int failed) {
    int threshold = thresholds.raiseAbove(start(bucketHashes[failed]));
    int end = failed + 1;
    while (end < bucketKeys && RibbonThresholds.offset(start(bucketHashes[end])) < threshold) {
      rows.clear(bucketRows[end]);
      end++;
    }
    bumpFirst(end);
  }

  private void bumpFirst(int count) {
    for (int i = 0; i < count; i++) {
      bump(bucketHashes[i]);
    }
  }

  private void bump(long hash) {
    bumped.put(RibbonLayer.below(hash));
  }

  private long start(long hash) {
    return RibbonLayer.start(hash, starts);
  }

  /** Returns the last start that the current bucket would have if it were a whole one. */
  private long lastStart() {
    return (bucket + 1) * RibbonSizing.BUCKET_STARTS - 1;
  }

  /** Returns the thresholds, which say how many blocks can be narrow. */
  RibbonThresholds thresholds() {
    return thresholds;
  }

  /** Returns how many words the layer takes. */
  long words(long narrow) {
    return RibbonLayer.words(blocks, narrow, columns);
  }

  /** Solves the equations, gives them up, and writes the layer from word {@code at} on. */
  RibbonLayer solve(Words words, long at, long narrow) {
    words.set(at, blocks);
    words.set(at + 1, narrow);
    thresholds.copyTo(words, at + RibbonLayer.HEADER_WORDS);
    RibbonLayer layer = new RibbonLayer(words, at, columns);
    new RibbonSolution(columns).write(rows, words, layer);
    return layer;
  }
}
