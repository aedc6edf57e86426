package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedMutableFilter;
import dev.tamis.internal.bits.BlockedPlacement;
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.Layout;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts batches of keys into a filter by several threads, with the answers of a single thread.
 *
 * <p>The cache lines of the filter are divided into ranges, each of which has one owner, the only
 * writer there, so there are no locks. A batch goes through four steps:
 *
 * <ol>
 *   <li>{@link Batch#prepare}: any number of batches at once, in any order;
 *   <li>{@link Batch#admit}: the batches in order;
 *   <li>{@link Batch#put}: the owners at once, each of them the batches in order;
 *   <li>{@link Batch#finish}, when all owners have put: any number at once, in any order.
 * </ol>
 *
 * <p>Each step must happen before the next, and each put of an owner before its next, as handing
 * batches over by a lock or a queue ensures. No other thread may put meanwhile.
 *
 * <p>The answers and the filter are, bit by bit, those of {@link HashedMutableFilter#putHashes} for
 * the batches in order. A filter that is not a Bloom filter, or whose layout scatters the bits of a
 * key, has a single owner.
 */
public final class ParallelPuts {

  /*
   * A put sets all bits of its key, new or not, and its effect on one line depends on that line
   * alone. The owner of a line processes the keys of all batches in order, so each key finds there
   * what it would have found in sequence. The key is new if either of its lines lacked a bit.
   *
   * A filter may grow only at the key for which there is no room. A batch is admitted if there is room
   * for all keys of it and of the batches under way; unused room is returned when a batch is finished.
   * Where there is less, the batches under way are finished first, and if that does not help, one
   * thread puts the batch in sequence: the last few thousand keys of a stage.
   *
   * Full stages do not change, so they can be queried beforehand; their keys are not put again.
   */

  /** Lines whose memory is prefetched together. */
  private static final int GROUP = 128;

  /** In place of a line: the key need not be put. */
  private static final long KNOWN = -1;

  private final HashedMutableFilter<?> filter;
  private final int owners;

  /** The most new keys of the batches under way. */
  private long reserved;

  private ParallelPuts(HashedMutableFilter<?> filter, int owners) {
    this.filter = filter;
    this.owners = owners;
  }

  /**
   * Returns puts into {@code filter}.
   *
   * @param owners how many ranges there are, at least 1; as many threads can put at once
   */
  public static ParallelPuts into(HashedMutableFilter<?> filter, int owners) {
    return new ParallelPuts(
        requireNonNull(filter, "filter"), (int) Checks.atLeast("owners", owners, 1));
  }

  /** Returns the number of owners. */
  public int owners() {
    return owners;
  }

  /** Returns a batch, which can be prepared again whenever it is finished. */
  public Batch newBatch() {
    return new Batch();
  }

  /** Returns the present stages; null for a filter of another kind. */
  private @Nullable Stages<?> stages() {
    if (filter instanceof ScalableBloomFilter<?> growing) {
      return growing.currentStages();
    }
    return filter instanceof BloomFilter<?> fixed
        ? new Stages<>(fixed.fpp(), List.of(fixed), 0, 0)
        : null;
  }

  /** Some keys on their way into the filter; for one thread at a time, but for {@link #put}. */
  public final class Batch {

    private long[] hashes = {};
    private int count;
    private boolean[] isNew = {};
    private boolean sequential;

    private @Nullable Stages<?> stages;

    private @Nullable Placement placement;

    /** The placement if its lines are divided among several owners. */
    private @Nullable BlockedPlacement divided;

    /** The lines of the keys, those of an owner next to each other, in the order of the keys. */
    private long[] lines = {};

    /** The place of each line: the index of its key times the lines per key, plus its own. */
    private int[] places = {};

    /** The start of each owner's lines in both, and their end. */
    private final int[] starts = new int[owners + 1];

    /** By place, whether a line lacked a bit of the key. */
    private boolean[] missing = {};

    /** Whether a full stage has a key; undefined if there is none. */
    private boolean[] known = {};

    private long[] unsorted = {};

    private Batch() {}

    /**
     * Takes keys and assigns their lines to owners.
     *
     * @param hashes the hashes, from index 0 on; not to be changed before the batch is finished
     * @param count how many there are
     */
    public void prepare(long[] hashes, int count) {
      Objects.checkFromIndexSize(0, count, hashes.length);
      this.hashes = hashes;
      this.count = count;
      if (isNew.length < count) {
        isNew = new boolean[hashes.length];
      }
      sequential = false;
      Stages<?> present = stages();
      if (present != null) {
        divide(present);
      }
    }

    /**
     * Admits the batch, so that its owners may put.
     *
     * @return false if another batch must be finished before; then call this again
     */
    public boolean admit() {
      Stages<?> present = stages();
      synchronized (ParallelPuts.this) {
        if (present != null && present.newest().tally().room() - reserved >= count) {
          reserved += count;
        } else if (reserved > 0) {
          return false;
        } else {
          sequential = true;
        }
      }
      if (sequential) {
        filter.putHashes(hashes, count, isNew);
      } else if (present != null && present.size() != sizeWhenPrepared()) {
        divide(present); // the filter has grown
      }
      return true;
    }

    private int sizeWhenPrepared() {
      return stages == null ? 0 : stages.size();
    }

    /** Selects the keys for the newest stage, and assigns their lines to owners. */
    private void divide(Stages<?> present) {
      stages = present;
      if (present.size() > 1) {
        if (known.length < count) {
          known = new boolean[isNew.length];
        }
        present.fullOnesMightContain(hashes, count, known, isNew);
      }
      placement = BitPositions.placement(present.newest().shape());
      divided = owners > 1 && placement instanceof BlockedPlacement blocked ? blocked : null;
      if (divided != null) {
        sort(divided, present.size() > 1);
      }
    }

    /** Sorts the lines of the keys by owner; those of an owner stay in order. */
    private void sort(BlockedPlacement placement, boolean hasFull) {
      int perKey = placement.linesPerKey();
      int all = Math.multiplyExact(count, perKey);
      if (lines.length < all) {
        int length = Math.multiplyExact(isNew.length, perKey);
        lines = new long[length];
        unsorted = new long[length];
        places = new int[length];
        missing = new boolean[length];
      }
      LineRanges ranges = LineRanges.of(placement.lines() * Layout.LINE_BITS, owners);
      Arrays.fill(starts, 0);
      for (int place = 0; place < all; place++) {
        int key = perKey == 1 ? place : place >>> 1;
        if (hasFull && known[key]) {
          unsorted[place] = KNOWN;
          missing[place] = false;
        } else {
          long line = placement.line(hashes[key], place & (perKey - 1));
          unsorted[place] = line;
          starts[ranges.rangeOf(line * Layout.LINE_BITS)]++;
        }
      }
      int end = 0;
      for (int owner = 0; owner <= owners; owner++) {
        end += starts[owner];
        starts[owner] = end;
      }
      for (int place = all - 1; place >= 0; place--) {
        long line = unsorted[place];
        if (line != KNOWN) {
          int to = --starts[ranges.rangeOf(line * Layout.LINE_BITS)];
          lines[to] = line;
          places[to] = place;
        }
      }
    }

    /** Puts the keys into the lines of an owner, from 0 to one less than there are owners. */
    public void put(int owner) {
      Objects.checkIndex(owner, owners);
      if (sequential || stages == null) {
        return;
      }
      Words words = stages.newest().words();
      if (divided != null) {
        put(divided, words, starts[owner], starts[owner + 1]);
      } else if (owner == 0) {
        putAll(requireNonNull(placement), words, stages.size() > 1);
      }
    }

    private void put(BlockedPlacement placement, Words words, int from, int to) {
      int shift = placement.linesPerKey() - 1;
      for (int group = from; group < to; group += GROUP) {
        int end = Math.min(to, group + GROUP);
        for (int i = group; i < end; i++) {
          missing[places[i]] = placement.prefetchLine(words, lines[i]) != 0;
        }
        for (int i = group; i < end; i++) {
          int place = places[i];
          missing[place] =
              placement.putInLine(words, lines[i], hashes[place >>> shift], place & shift);
        }
      }
    }

    /** Puts keys of any layout. */
    private void putAll(Placement placement, Words words, boolean hasFull) {
      for (int from = 0; from < count; from += GROUP) {
        int to = Math.min(count, from + GROUP);
        placement.prefetch(words, hashes, from, to, isNew);
        for (int i = from; i < to; i++) {
          isNew[i] = !(hasFull && known[i]) && placement.put(words, hashes[i]);
        }
      }
    }

    /**
     * Combines the answers.
     *
     * @return how many of the keys were new
     */
    @SuppressWarnings("ShortCircuitBoolean") // which a branch would be mispredicted for
    public int finish() {
      if (!sequential && divided != null) {
        int perKey = divided.linesPerKey();
        for (int i = 0; i < count; i++) {
          isNew[i] = perKey == 1 ? missing[i] : missing[2 * i] | missing[2 * i + 1];
        }
      }
      int accepted = 0;
      for (int i = 0; i < count; i++) {
        accepted += isNew[i] ? 1 : 0;
      }
      if (!sequential && stages != null) {
        synchronized (ParallelPuts.this) {
          stages.newest().tally().count(accepted, count - accepted);
          reserved -= count;
        }
      }
      return accepted;
    }

    /** Returns for each key whether it was certainly new, from index 0 on. */
    public boolean[] isNew() {
      return isNew;
    }
  }
}
