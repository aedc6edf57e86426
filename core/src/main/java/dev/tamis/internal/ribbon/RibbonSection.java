package dev.tamis.internal.ribbon;

import static dev.tamis.sizing.RibbonSizing.BLOCK_SLOTS;
import static dev.tamis.sizing.RibbonSizing.BUCKET_STARTS;

import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.hashes.HashCollector;
import dev.tamis.internal.hashes.SortedHashes;

/**
 * Some contiguous blocks of a ribbon layer under construction.
 *
 * <p>Not safe for concurrent use; different sections of a layer may be used by different threads.
 */
final class RibbonSection {

  /*
   * Buckets go from left to right, the keys of a bucket from right to left. When the equation of
   * one cannot be placed, it and the rest of the bucket are bumped, so that one threshold says
   * which [1]. Thresholds are coarse: keys just above the one that failed are taken out again,
   * which is clearing their rows, because no equation of a key that stays came after theirs.
   *
   * Where two sections meet, each has one of the two blocks of a bucket, whose keys are all bumped.
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
  private static final int BLOCKS_PER_BUCKET = BUCKET_STARTS / BLOCK_SLOTS;

  private final long starts;
  private final long origin;
  private final long firstBlock;
  private final long endBlock;
  private final RibbonRows rows;
  private final RibbonThresholds thresholds;
  private final HashCollector bumped;

  private long[] toBump = new long[BATCH];
  private int bumping;
  private long[] bucketHashes = new long[MAX_BUCKET_KEYS];
  private long[] bucketRows = new long[MAX_BUCKET_KEYS];
  private long bucket;
  private int bucketKeys;
  private boolean overfull;

  /**
   * Creates a section without keys.
   *
   * @param firstBlock the second block of its bucket, unless it is the layer's first
   * @param endBlock the block after the last; the first of its bucket, unless the layer ends
   * @param thresholds already bump all starts of the buckets shared with another section
   */
  RibbonSection(
      long starts,
      long firstBlock,
      long endBlock,
      RibbonThresholds thresholds,
      HashCollector bumped) {
    this.starts = starts;
    this.firstBlock = firstBlock;
    this.endBlock = endBlock;
    this.bucket = firstBlock / BLOCKS_PER_BUCKET;
    this.origin = bucket * BUCKET_STARTS;
    this.rows = new RibbonRows(endBlock * BLOCK_SLOTS - origin);
    this.thresholds = thresholds;
    this.bumped = bumped;
  }

  /** Takes the {@code count} hashes of the section. */
  void take(SortedHashes.Reader hashes, long count) {
    long[] batch = new long[(int) Math.min(BATCH, count)];
    int read;
    for (long left = count; left > 0; left -= read) {
      read = (int) Math.min(batch.length, left);
      hashes.read(batch, read);
      for (int i = 0; i < read; i++) {
        take(batch[i]);
      }
    }
    finishBucket();
    rows.finish();
    passOn();
    toBump = new long[0]; // for there are many sections, of which only the rows are needed
    bucketHashes = new long[0];
    bucketRows = new long[0];
  }

  private void take(long hash) {
    long start = start(hash);
    long next = RibbonThresholds.bucket(start);
    if (next != bucket) {
      finishBucket();
      bucket = next;
      rows.moveTo(start - origin);
    }
    if (isShared(next)) {
      bump(hash);
      return;
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

  /** Returns whether another section has the other block of a bucket. */
  private boolean isShared(long bucket) {
    long secondBlock = bucket * BLOCKS_PER_BUCKET + 1;
    return secondBlock == firstBlock || secondBlock == endBlock;
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
          rows.place(
              start(hash) - origin, RibbonLayer.coefficients(hash), RibbonLayer.results(hash));
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
    if (bumping == toBump.length) {
      passOn();
    }
    toBump[bumping++] = RibbonLayer.below(hash);
  }

  private void passOn() {
    synchronized (bumped) {
      for (int i = 0; i < bumping; i++) {
        bumped.put(toBump[i]);
      }
    }
    bumping = 0;
  }

  private long start(long hash) {
    return RibbonLayer.start(hash, starts);
  }

  /** Returns the last start of the current bucket, if that is whole. */
  private long lastStart() {
    return (bucket + 1) * BUCKET_STARTS - 1;
  }

  /** Solves and frees the equations, and writes the section's blocks. */
  void solve(Words words, RibbonLayer layer, int columns) {
    new RibbonSolution(columns).write(rows, words, layer, firstBlock, endBlock);
  }

  /** Solves the equations of a ribbon layer for its slots, from the last one to the first. */
  private static final class RibbonSolution {

    /*
     * Row i says what slot i is, once the 63 after it are known. They are kept as the bits of one
     * word for each column, slot i being bit 0; when i is the first slot of a block, that word is the
     * block's column. Slots whose row is empty are free, and are zero.
     *
     * Each bit depends on the one before, so four columns are interleaved for instruction-level
     * parallelism.
     */

    private static final int TOGETHER = 4;

    private final long[] solved;

    /** Begins after slots that are zero, or that no equation names. */
    RibbonSolution(int columns) {
      this.solved = HeapLimit.longs((columns + TOGETHER - 1) / TOGETHER * TOGETHER);
    }

    /** Writes the columns of the blocks from {@code first} to {@code end}, freeing their rows. */
    void write(RibbonRows rows, Words words, RibbonLayer layer, long first, long end) {
      long block = end;
      while (block > first) {
        RibbonRows.Piece piece = rows.removeLast();
        for (int blocks = piece.blocks(); blocks > 0 && block > first; blocks--) {
          block--;
          int columns = layer.columns(block);
          for (int column = 0; column < columns; column += TOGETHER) {
            solve(piece, (blocks - 1) * BLOCK_SLOTS, column);
          }
          for (int column = 0; column < columns; column++) {
            words.set(layer.columnAt(block) + column, solved[column]);
          }
        }
      }
    }

    private void solve(RibbonRows.Piece piece, int first, int column) {
      long[] rows = piece.coefficients;
      int[] results = piece.results;
      long a = solved[column];
      long b = solved[column + 1];
      long c = solved[column + 2];
      long d = solved[column + 3];
      for (int i = first + BLOCK_SLOTS - 1; i >= first; i--) {
        long row = rows[i];
        int result = results[i] >>> column;
        a <<= 1;
        a |= (Long.bitCount(a & row) ^ result) & 1;
        b <<= 1;
        b |= (Long.bitCount(b & row) ^ (result >>> 1)) & 1;
        c <<= 1;
        c |= (Long.bitCount(c & row) ^ (result >>> 2)) & 1;
        d <<= 1;
        d |= (Long.bitCount(d & row) ^ (result >>> 3)) & 1;
      }
      solved[column] = a;
      solved[column + 1] = b;
      solved[column + 2] = c;
      solved[column + 3] = d;
    }
  }
}
