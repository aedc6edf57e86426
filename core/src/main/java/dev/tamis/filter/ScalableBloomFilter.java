package dev.tamis.filter;

import dev.tamis.Estimate;
import dev.tamis.HashId;
import dev.tamis.KeyHasher;
import dev.tamis.MutableFilter;
import dev.tamis.internal.Hashing;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that grows and keeps the fpp it was asked for.
 *
 * <p>It is a row of stages, each twice the size of the one before and stricter. Full ones are kept
 * and asked; only the newest takes keys. Growth ends where a stage cannot be had: when the heap is
 * full, past 4e9 keys at 1e-6, or where the fpp of a stage falls below that of a 64-bit hash (2e8
 * keys at 1e-9). Then put throws {@link IllegalArgumentException}, and nothing is lost.
 *
 * <p>Choose it when the number of keys is unknown. When it is known within a factor of two, a
 * {@link BloomFilter} needs about a third fewer bits and one look instead of one for each stage.
 *
 * <p>Not safe for concurrent use; any number of threads may read as long as none writes.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1016/j.ipl.2006.10.007">Almeida, Baquero, Preguiça, Hutchison
 *     2007, Scalable Bloom filters</a>
 */
public final class ScalableBloomFilter<T> implements MutableFilter<T> {

  /*
   * Stage i has fpp p(1 - r)r^i, a geometric series with sum p. r = 0.85 with doubling sizes costs
   * the fewest bits over a wide range of growth (16.2 a key at 1 % and 1000-fold growth); the usual
   * r = 0.5 tightens too fast and costs 22.6. Two lines a key, because a stage is much stricter than
   * the whole, and there one line alone would need up to a sixth more bits.
   */

  /** r: how much stricter each stage is than the one before. */
  private static final double TIGHTENING = 0.85;

  /** How much larger each stage is than the one before. */
  private static final int GROWTH = 2;

  private static final long LARGEST_STAGE = Long.MAX_VALUE / 4;

  private final Hashing<T> hashing;
  private final double fpp;
  private final List<BloomFilter<T>> stages;
  private double wrongDropsOfFullStages;
  private double fppOfFullStages;
  private BloomFilter<T> newest;

  private ScalableBloomFilter(Hashing<T> hashing, double fpp, List<BloomFilter<T>> stages) {
    this.hashing = hashing;
    this.fpp = fpp;
    this.stages = new ArrayList<>(stages);
    this.newest = stages.get(stages.size() - 1);
    for (BloomFilter<T> stage : stages.subList(0, stages.size() - 1)) {
      fppOfFullStages = either(fppOfFullStages, stage.expectedFpp());
    }
  }

  /**
   * Returns an empty filter with seed 0.
   *
   * @param hasher says which bytes of a key count
   * @param initialKeys distinct keys the first stage is for; at least 1. A good guess saves stages
   * @param fpp p, false-positive probability that is never passed; strictly between 0 and 1
   */
  public static <T> ScalableBloomFilter<T> create(
      KeyHasher<? super T> hasher, long initialKeys, double fpp) {
    return create(hasher, initialKeys, fpp, 0);
  }

  /** Does what {@link #create(KeyHasher, long, double)} does, with a seed. */
  public static <T> ScalableBloomFilter<T> create(
      KeyHasher<? super T> hasher, long initialKeys, double fpp, long seed) {
    Hashing<T> hashing = Hashing.of(hasher, seed);
    if (!(fpp > 0 && fpp < 1)) { // written so that NaN fails
      throw new IllegalArgumentException("fpp must be in (0, 1), got " + fpp);
    }
    return new ScalableBloomFilter<>(
        hashing, fpp, List.of(stage(hashing, initialKeys, fpp * (1 - TIGHTENING))));
  }

  private static <T> BloomFilter<T> stage(Hashing<T> hashing, long keys, double fpp) {
    Layout layout = Layout.forFpp(fpp) == Layout.LINE ? Layout.LINE : Layout.TWO_LINES;
    Sizing sizing = Sizing.ask().expectedKeys(keys).fpp(fpp).layout(layout).answer();
    return BloomFilter.empty(hashing, sizing, false);
  }

  /**
   * Reads a filter that {@link #writeTo} wrote; reads nothing past its end.
   *
   * @param in the bytes, from outside and not trusted
   * @param hasher must hash as the one that filled the filter, which the bytes cannot tell
   * @param maxBytes the most memory the filter's stages may take, in bytes
   * @throws dev.tamis.format.FormatException if the bytes are not such a filter, are damaged, or
   *     claim more memory
   * @throws IOException if {@code in} fails
   */
  public static <T> ScalableBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return ScalableBloomFilterFrame.read(in, hasher, maxBytes);
  }

  /** Puts together what was read. */
  static <T> ScalableBloomFilter<T> of(
      Hashing<T> hashing, double fpp, List<BloomFilter<T>> stages) {
    return new ScalableBloomFilter<>(hashing, fpp, stages);
  }

  @Override
  public boolean putHash(long hash) {
    for (int i = stages.size() - 2; i >= 0; i--) {
      if (stages.get(i).mightContainHash(hash)) {
        return false;
      }
    }
    if (newest.acceptedKeys() >= newest.expectedKeys() && !newest.mightContainHash(hash)) {
      grow();
    }
    return newest.putHash(hash);
  }

  @Override
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (BloomFilter<T> stage : stages) {
      stage.touch(hashes, count, isNew);
    }
    for (int i = 0; i < count; i++) {
      isNew[i] = putHash(hashes[i]);
    }
  }

  private void grow() {
    long keys = newest.expectedKeys();
    BloomFilter<T> next =
        stage(hashing, keys > LARGEST_STAGE ? keys : keys * GROWTH, newest.fpp() * TIGHTENING);
    wrongDropsOfFullStages = expectedWrongDrops();
    fppOfFullStages = either(fppOfFullStages, newest.expectedFpp());
    stages.add(next);
    newest = next;
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (int i = stages.size() - 1; i >= 0; i--) {
      if (stages.get(i).mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long hashOf(T key) {
    return hashing.hash(key);
  }

  @Override
  public HashId hashId() {
    return hashing.id();
  }

  @Override
  public double expectedFpp() {
    double none = 1;
    for (BloomFilter<T> stage : stages) {
      none *= 1 - stage.expectedFpp();
    }
    return 1 - none;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A key is in one stage only, so the stages' counts add up, each raised by the share of keys
   * that the stages before it took for their own.
   */
  @Override
  public Estimate approximateElementCount() {
    double value = 0;
    double variance = 0;
    double passed = 1;
    for (BloomFilter<T> stage : stages) {
      Estimate keys = stage.approximateElementCount();
      value += keys.value() / passed;
      double margin = (keys.high() - keys.value()) / passed;
      variance += margin * margin;
      passed *= 1 - stage.expectedFpp();
    }
    return Double.isFinite(value)
        ? Estimate.around(value, Math.sqrt(variance))
        : new Estimate(value, 0, value);
  }

  @Override
  public long acceptedKeys() {
    return stages.stream().mapToLong(BloomFilter::acceptedKeys).sum();
  }

  @Override
  public double expectedWrongDrops() {
    return wrongDropsOfFullStages + newest.expectedWrongDrops(fppOfFullStages);
  }

  /** Returns p, the fpp that is never passed. */
  public double fpp() {
    return fpp;
  }

  /** Returns the stages, the oldest first; for reading only. */
  public List<BloomFilter<T>> stages() {
    return Collections.unmodifiableList(stages);
  }

  @Override
  public long bitSize() {
    return stages.stream().mapToLong(BloomFilter::bitSize).sum();
  }

  @Override
  public long serializedSize() {
    return ScalableBloomFilterFrame.bytes(stages);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    ScalableBloomFilterFrame.write(out, fpp, stages);
  }

  /** Returns whether {@code object} is such a filter with the same fpp and equal stages. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof ScalableBloomFilter<?> other
        && fpp == other.fpp
        && stages.equals(other.stages);
  }

  @Override
  public int hashCode() {
    return 31 * Double.hashCode(fpp) + stages.hashCode();
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "ScalableBloomFilter(stages=%d, bits=%d, fpp=%s, hash=%s)",
        stages.size(),
        bitSize(),
        fpp,
        hashId());
  }

  /** Returns the chance of at least one of two independent events. */
  private static double either(double first, double second) {
    return first + second - first * second;
  }
}
