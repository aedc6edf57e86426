package dev.tamis.corpus;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether units are repeats of what a filter holds, in the order in which they come.
 *
 * <p>{@link #deduplicating} puts the keys of each unit that is none; of one that is, it puts
 * nothing. {@link #matching} never puts. All keys of a unit are looked up before any is put, so a
 * unit is no repeat of itself.
 *
 * <p>The answers depend on the order, so this is for one thread; other threads can make the keys.
 */
public final class UnitFilter {

  /** How much the accepted keys grow before the fpp is computed again. */
  private static final double STEP = 0.01;

  private final HashedFilter<?> filter;
  private final @Nullable HashedMutableFilter<?> target;
  private final Overlap overlap;
  private boolean[] verdicts = {};
  private double[] shares = {};
  private boolean[] answers = {};
  private long[] unitKeys = {};
  private int known;
  private long[] added = new long[1 << 10];
  private int addedCount;
  private long decided;
  private long repeats;
  private long lookedUp;
  private double wrongDrops;
  private double fpp;
  private long keysAtFpp = -1;

  private UnitFilter(
      HashedFilter<?> filter, @Nullable HashedMutableFilter<?> target, Overlap overlap) {
    this.filter = requireNonNull(filter, "filter");
    this.target = target;
    this.overlap = requireNonNull(overlap, "overlap");
  }

  /** Returns decisions by what has come before, which {@code filter} learns. */
  public static UnitFilter deduplicating(HashedMutableFilter<?> filter, Overlap overlap) {
    return new UnitFilter(filter, filter, overlap);
  }

  /** Returns decisions by what {@code filter} holds, which stays as it is. */
  public static UnitFilter matching(HashedFilter<?> filter, Overlap overlap) {
    return new UnitFilter(filter, null, overlap);
  }

  /**
   * Decides some units in order; units without keys are no repeats.
   *
   * @return by the index of the unit, whether it is a repeat; valid until the next call
   */
  public boolean[] decide(TextUnits units) {
    if (verdicts.length < units.count()) {
      verdicts = new boolean[Math.max(units.count(), 2 * verdicts.length)];
      shares = new double[verdicts.length];
    }
    addedCount = 0;
    if (units.rule().kind() == UnitRule.Kind.NGRAMS) {
      for (int unit = 0; unit < units.count(); unit++) {
        verdicts[unit] = isRepeat(units, unit);
        int keys = units.endKey(unit) - units.firstKey(unit);
        shares[unit] = keys == 0 ? 0 : (double) known / keys;
      }
    } else {
      decideSingleKeys(units);
    }
    return verdicts;
  }

  private void decideSingleKeys(TextUnits units) {
    int keys = units.keyCount();
    makeRoom(keys);
    if (target != null) {
      target.putHashes(units.keys(), keys, answers);
      for (int i = 0; i < keys; i++) {
        answers[i] = !answers[i];
        if (!answers[i]) {
          noteAdded(units.keys()[i]);
        }
      }
    } else {
      filter.mightContainHashes(units.keys(), keys, answers);
    }
    for (int unit = 0; unit < units.count(); unit++) {
      int key = units.firstKey(unit);
      verdicts[unit] = key < units.endKey(unit) && answers[key];
      shares[unit] = verdicts[unit] ? 1 : 0;
      if (key < units.endKey(unit)) {
        count(1, answers[key]);
        addWrongDrop(1, answers[key]);
      }
    }
  }

  private boolean isRepeat(TextUnits units, int unit) {
    int first = units.firstKey(unit);
    int keys = units.endKey(unit) - first;
    known = 0;
    if (keys == 0) {
      return false;
    }
    makeRoom(keys);
    System.arraycopy(units.keys(), first, unitKeys, 0, keys);
    filter.mightContainHashes(unitKeys, keys, answers);
    for (int i = 0; i < keys; i++) {
      known += answers[i] ? 1 : 0;
    }
    boolean isRepeat = known >= overlap.needed(keys);
    count(keys, isRepeat);
    addWrongDrop(keys, isRepeat);
    if (!isRepeat && target != null) {
      target.putHashes(unitKeys, keys, answers);
      for (int i = 0; i < keys; i++) {
        if (answers[i]) {
          noteAdded(unitKeys[i]);
        }
      }
    }
    return isRepeat;
  }

  private void makeRoom(int keys) {
    if (answers.length < keys) {
      answers = new boolean[2 * keys];
      unitKeys = new long[2 * keys];
    }
  }

  private void noteAdded(long key) {
    if (addedCount == added.length) {
      added = Arrays.copyOf(added, 2 * addedCount);
    }
    added[addedCount++] = key;
  }

  private void count(int keys, boolean isRepeat) {
    decided++;
    lookedUp += keys;
    repeats += isRepeat ? 1 : 0;
  }

  /** Each unit that was kept stands for q/(1 − q) that were not, as each accepted key does. */
  private void addWrongDrop(int keys, boolean isRepeat) {
    if (!isRepeat) {
      double drop = overlap.wrongDropProbability(keys, fpp());
      wrongDrops += drop < 1 ? drop / (1 - drop) : 0;
    }
  }

  /** Returns the fpp by which wrong drops are computed: at most a hundredth more keys are in. */
  public double fpp() {
    if (target == null) {
      if (keysAtFpp < 0) {
        fpp = filter.expectedFpp();
        keysAtFpp = 0;
      }
      return fpp;
    }
    long keys = lookedUp;
    if (keys > keysAtFpp) {
      fpp = fppOf(target);
      keysAtFpp = keys + (long) (STEP * keys);
    }
    return fpp;
  }

  /** Returns the fpp by the number of keys, without a pass over the bits if that can be had. */
  private static double fppOf(HashedFilter<?> filter) {
    if (filter instanceof BloomFilter<?> bloom) {
      return bloom.shape().fpp(bloom.acceptedKeys());
    }
    if (filter instanceof ScalableBloomFilter<?> growing) {
      double fpp = 0;
      for (BloomFilter<?> stage : growing.stages()) {
        fpp += (1 - fpp) * fppOf(stage);
      }
      return fpp;
    }
    return filter.expectedFpp();
  }

  /** Returns whether a unit of the last {@link #decide} was a repeat. */
  public boolean isRepeat(int unit) {
    return verdicts[unit];
  }

  /**
   * Returns, by the index of the unit, the share of its keys that were known at the last {@link
   * #decide}; 0 for a unit without keys.
   */
  public double[] shares() {
    return shares;
  }

  /** Returns the keys that the last {@link #decide} put and that were new, from index 0 on. */
  public long[] added() {
    return added;
  }

  /** Returns the number of {@link #added} keys. */
  public int addedCount() {
    return addedCount;
  }

  /** Returns the units with keys that have been decided. */
  public long decided() {
    return decided;
  }

  /** Returns the units that were repeats. */
  public long repeats() {
    return repeats;
  }

  /** Returns the keys that have been looked up. */
  public long keys() {
    return lookedUp;
  }

  /**
   * Returns how many units none of whose keys had come before were expected to be repeats by false
   * positives, for the fpp at each moment. A unit that lacks few keys of the overlap needs fewer.
   */
  public double expectedWrongDrops() {
    return wrongDrops;
  }
}
