package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.FilterFullException;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Mergeable;
import dev.tamis.Overlapping;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Growth;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that grows and keeps the requested fpp.
 *
 * <p>It is a list of stages, each twice the size of the previous one and stricter. Lookups query
 * all stages; puts go to the newest. Growth fails when the heap is full, where put throws {@link
 * IllegalArgumentException}, or when the fpp of a stage falls below that of a 64-bit hash (2e8 keys
 * at 1e-9), where it throws {@link FilterFullException}. Nothing is lost then.
 *
 * <p>Choose it when the number of keys is unknown. When it is known within a factor of two, a
 * {@link BloomFilter} needs about a third fewer bits and one lookup instead of one per stage.
 *
 * <p>Any number of threads may use one filter, with the promises of a {@link BloomFilter}, also
 * while it grows. Lookups never wait. A put waits for another of the same stripe, some nanoseconds,
 * and where it finds the filter full, for the next stage.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1016/j.ipl.2006.10.007">Almeida, Baquero, Preguiça, Hutchison
 *     2007, Scalable Bloom filters</a>
 */
@SuppressWarnings("serial") // by its bytes, see SerializableFilter
public final class ScalableBloomFilter<T> extends SerializableFilter<T>
    implements HashedMutableFilter<T>,
        DropAware,
        Mergeable<ScalableBloomFilter<T>>,
        Overlapping<ScalableBloomFilter<T>>,
        Storable {

  /*
   * One winner while growing. A put sets bits in a stage only with the key's stripe held and after it
   * has reserved one of the stage's expected keys. A stage is sealed by ending reservations and then
   * taking all its stripes once, so that its bits never change again; the next stage is published
   * after that. A put without a reservation waits for the next stage and starts over.
   *
   * So two puts of a key that both find it missing either meet in one stage, where the stripe decides
   * (see Placement), or one of them goes into a stage published after the other's was sealed with the
   * key in it, and would have found it there. A key is in one stage only.
   *
   * Growing and merging take turns, under the monitor; merging seals the newest stage and publishes
   * merged copies, so puts wait and nothing is lost.
   */

  /*
   * The stages take their bits from one hash, so a key that passes the full ones is likelier to meet
   * bits of its own kind in the next: fewer keys are reported by several stages than if these were
   * independent, and fewer bits are set. Measured for all layouts, fpp 0.1 to 0.7 and 7e3 to 2e6 keys,
   * an estimate that takes them as independent is too low by 0.08 to 0.22 times the gap between the
   * sum of their fpp, which would be that of events that exclude each other, and that of independent
   * ones: 1.2 % at an fpp of 0.5, 0.03 % at 0.1.
   */
  private static final double SHARED_BITS = 0.18;

  /** The largest deviation from {@link #SHARED_BITS}, rounded up. */
  private static final double SHARED_BITS_ERROR = 0.1;

  /** What the sum of a series may be off by. */
  private static final double ROUNDING = 1e-9;

  private final boolean threadSafe;
  private final Object monitor = new Object();
  private volatile Stages<T> stages;

  private ScalableBloomFilter(BoundHasher<T> hashing, Stages<T> stages, boolean threadSafe) {
    super(Kind.SCALABLE_BLOOM, hashing);
    this.stages = stages;
    this.threadSafe = threadSafe;
  }

  /** Returns an empty filter with seed 0: see {@link #builder}. */
  public static <T> ScalableBloomFilter<T> create(
      KeyHasher<? super T> hasher, long initialKeys, double fpp) {
    return ScalableBloomFilter.<T>builder(hasher).initialKeys(initialKeys).fpp(fpp).build();
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> ScalableBloomFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new ScalableBloomFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  static <T> ScalableBloomFilter<T> empty(
      BoundHasher<T> hashing,
      long initialKeys,
      double fpp,
      @Nullable Layout layout,
      boolean threadSafe) {
    Sizing first = Growth.first(initialKeys, fpp, layout);
    return of(hashing, fpp, List.of(BloomFilter.stage(hashing, first, threadSafe)), threadSafe);
  }

  /** Reads a filter that {@link #writeTo} wrote, as {@link Filters#readFrom} does. */
  public static <T> ScalableBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return ScalableBloomFilterFrame.read(FrameReader.of(Kind.SCALABLE_BLOOM, in, maxBytes), hasher);
  }

  static <T> ScalableBloomFilter<T> of(
      BoundHasher<T> hashing, double fpp, List<BloomFilter<T>> stages, boolean threadSafe) {
    return new ScalableBloomFilter<>(hashing, Stages.of(fpp, stages), threadSafe);
  }

  @Override
  public boolean putHash(long hash) {
    while (true) {
      Stages<T> known = stages;
      if (known.fullOnesMightContain(hash)) {
        return false;
      }
      BloomFilter.Offer offer = known.newest().offer(hash);
      if (offer != BloomFilter.Offer.NO_ROOM) {
        return offer == BloomFilter.Offer.NEW;
      }
      growPast(known);
    }
  }

  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += BloomFilter.BATCH) {
      int to = Math.min(count, from + BloomFilter.BATCH);
      stages.prefetch(hashes, from, to, isNew);
      for (int i = from; i < to; i++) {
        isNew[i] = putHash(hashes[i]);
      }
    }
  }

  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += BloomFilter.BATCH) {
      stages.mightContain(hashes, from, Math.min(count, from + BloomFilter.BATCH), answers);
    }
  }

  Stages<T> currentStages() {
    return stages;
  }

  /** Makes the next stage, unless another thread has replaced these. */
  @SuppressWarnings("ReferenceEquality") // these stages, not some with equal bits
  private void growPast(Stages<T> known) {
    synchronized (monitor) {
      if (stages == known) {
        BloomFilter<T> full = known.newest();
        BloomFilter<T> next = BloomFilter.stage(hashing, next(full), threadSafe); // may throw
        full.close();
        stages = known.with(next);
      }
    }
  }

  private Sizing next(BloomFilter<T> full) {
    try {
      return Growth.next(full.sizing());
    } catch (IllegalArgumentException e) {
      throw new FilterFullException(
          "filter is full: its stages hold "
              + acceptedKeys()
              + " keys, and there can be no larger one: "
              + e.getMessage());
    }
  }

  /**
   * Merges {@code other} into this filter. Stages of the same shape that have room for the keys of
   * both become one; the others are taken over. Both filters' false positives come together, so
   * {@link #fpp} may grow, to at most the sum of both.
   *
   * <p>A key of both may be in two stages then, and {@link #approximateElementCount} counts it
   * twice. Other threads may continue to use both: puts into this filter wait, puts into {@code
   * other} may be merged or not.
   *
   * @throws IllegalArgumentException if the hash functions differ or there would be too many stages
   *     or too high an fpp; nothing has changed then
   */
  @Override
  public void putAll(ScalableBloomFilter<T> other) {
    requireCompatible(other);
    synchronized (monitor) {
      BloomFilter<T> newest = stages.newest();
      newest.close();
      boolean done = false;
      try {
        stages = merged(stages, other.stages);
        done = true;
      } finally {
        if (!done) {
          newest.reopen();
        }
      }
    }
  }

  private Stages<T> merged(Stages<T> own, Stages<T> others) {
    List<BloomFilter<T>> merged = Stages.merge(own.all(), others.all(), threadSafe);
    double sum = merged.stream().mapToDouble(BloomFilter::fpp).sum();
    double ahead = Growth.fppAhead(merged.get(merged.size() - 1).fpp());
    // the sum of a filter's own stages and those to come is its fpp but for rounding
    double most = sum + ahead <= own.fpp() * (1 + ROUNDING) ? own.fpp() : sum + ahead;
    if (merged.size() > ScalableBloomFilterFrame.MAX_STAGES || most >= 1) {
      throw new IllegalArgumentException(
          "the filters are not compatible: together they have "
              + merged.size()
              + " stages of at most "
              + ScalableBloomFilterFrame.MAX_STAGES
              + " and an fpp of "
              + most);
    }
    return Stages.of(most, merged, own.expectedWrongDrops());
  }

  /**
   * Returns an independent filter with the same bits, thread-safe if this is. It has every key
   * whose put returned before the call; keys put meanwhile may be in it.
   */
  @Override
  public ScalableBloomFilter<T> copy() {
    Stages<T> known = stages;
    List<BloomFilter<T>> copies =
        known.all().stream().map(stage -> stage.copyAsStage(threadSafe)).toList();
    return of(hashing, known.fpp(), copies, threadSafe);
  }

  /** Removes all keys, and all stages but one of the first one's size. */
  @Override
  public void clear() {
    synchronized (monitor) {
      Stages<T> known = stages;
      BloomFilter<T> first = BloomFilter.stage(hashing, known.all().get(0).sizing(), threadSafe);
      known.newest().close();
      stages = Stages.of(known.fpp(), List.of(first));
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    return stages.mightContain(hash);
  }

  @Override
  public double expectedFpp() {
    double fpp = 0; // and not 1 less the share that no stage reports, which rounds to 0
    for (BloomFilter<T> stage : stages.all()) {
      fpp += (1 - fpp) * stage.expectedFpp();
    }
    return fpp;
  }

  /**
   * {@inheritDoc}
   *
   * <p>This is the sum over the stages, each raised by the share of keys that earlier stages
   * reported wrongly. What is not known of that share widens the interval: its binomial variance,
   * and how far stages depend on each other. Above an fpp of 0.1 the latter is most of it.
   */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    double value = 0;
    double variance = 0;
    double passed = 1;
    double sum = 0;
    double quantile = confidence.quantile();
    for (BloomFilter<T> stage : stages.all()) {
      Estimate keys = stage.approximateElementCount(confidence);
      value += keys.value() / passed;
      double margin = (keys.high() - keys.value()) / passed;
      double came = keys.value() / passed;
      variance += margin * margin + quantile * quantile * came * (1 - passed) / passed;
      double fpp = stage.expectedFpp();
      passed *= 1 - fpp;
      sum += fpp;
    }
    if (!Double.isFinite(value)) {
      return new Estimate(value, 0, value);
    }
    double gap = value * (sum - (1 - passed));
    return Estimate.around(
        value + SHARED_BITS * gap, Math.sqrt(variance) + SHARED_BITS_ERROR * gap);
  }

  @Override
  public long acceptedKeys() {
    return stages.all().stream().mapToLong(BloomFilter::acceptedKeys).sum();
  }

  @Override
  public double expectedWrongDrops() {
    return stages.expectedWrongDrops();
  }

  @Override
  public boolean isThreadSafe() {
    return threadSafe;
  }

  /** Returns p, the fpp that is never passed unless by {@link #putAll}. */
  public double fpp() {
    return stages.fpp();
  }

  /**
   * Estimates how many keys the two have in common, as long as neither has grown: later a key of
   * both may be in stages of different shapes, which cannot be compared.
   *
   * @throws IllegalArgumentException if either has more than one stage or the stages are not
   *     compatible, naming what differs
   */
  @Override
  public Overlap estimateOverlap(ScalableBloomFilter<T> other, Confidence confidence) {
    int size = stages.size();
    int otherSize = other.stages.size();
    if (size != 1 || otherSize != 1) {
      throw new IllegalArgumentException(
          "the number of stages must be 1 in both filters, got " + size + " and " + otherSize);
    }
    return stages.newest().estimateOverlap(other.stages.newest(), confidence);
  }

  /** Returns the stages, the oldest first; for reading only. */
  public List<BloomFilter<T>> stages() {
    return stages.all();
  }

  @Override
  public long bitSize() {
    return stages.all().stream().mapToLong(BloomFilter::bitSize).sum();
  }

  @Override
  public long serializedSize() {
    return ScalableBloomFilterFrame.bytes(stages.all());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    Stages<T> known = stages;
    ScalableBloomFilterFrame.write(out, known.fpp(), known.all());
  }

  /** Returns whether {@code object} is such a filter with the same fpp and equal stages. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof ScalableBloomFilter<?> other
        && fpp() == other.fpp()
        && stages.all().equals(other.stages.all());
  }

  @Override
  public int hashCode() {
    return 31 * Double.hashCode(fpp()) + stages.all().hashCode();
  }

  @Override
  public Traits traits() {
    return Traits.of("ScalableBloomFilter")
        .with("bits", bitSize())
        .with("stages", stages.size())
        .with("requested fpp", fpp())
        .matching("hash", hashId());
  }
}
