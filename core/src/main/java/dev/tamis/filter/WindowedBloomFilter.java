package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.WindowSizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that remembers the last puts and forgets what is older.
 *
 * <p>Choose it for keys that come without end, when only the recent ones matter. It needs about
 * twice the bits for each key of its window that a {@link BloomFilter} needs, and no more of them
 * however long it runs.
 *
 * <pre>{@code
 * WindowedBloomFilter<String> recent =
 *     WindowedBloomFilter.<String>builder(KeyHasher.text()).window(1_000_000).fpp(0.001).build();
 * if (recent.put(messageId)) {
 *   handle(message); // certainly not among the last million
 * }
 * }</pre>
 *
 * <p>A window of W puts holds the last W puts for certain, each for (1 + slack)·W puts at most (or
 * one more than W). Every put counts, and a put of a known key refreshes it. The fpp is at most the
 * one asked for in every phase, for keys that were never put. A key that was forgotten j
 * generations ago, slack·W puts each, is still reported present with a chance of about 2^−j.
 *
 * <p>A window of time holds what was put within it for certain, for (1 + slack) times the window at
 * most, whatever comes. The fpp is kept while no more than the expected keys come within a window,
 * evenly spread; it rises when more come or when they come at once, which {@link #expectedFpp}
 * shows. A clock that goes back makes it remember longer, never shorter.
 *
 * <p>Not safe for concurrent use; any number of threads may read as long as none writes.
 *
 * @param <T> the type of key
 * @see <a href="https://arxiv.org/abs/2001.03147">Shtul, Baquero, Almeida 2020, Age-partitioned
 *     Bloom filters</a>
 */
public final class WindowedBloomFilter<T> implements HashedMutableFilter<T>, DropAware, Storable {

  /*
   * What the paper calls a shift is a turn of the ring. A generation that has ended is noticed by the
   * next put, which turns the ring first. Until then questions leave out what the turns will clear,
   * so a question changes nothing and answers as if they had been made.
   */

  /** The stretches of {@link DropTally} in a generation of the size it is meant for. */
  private static final int STRETCHES = 4;

  /** What a count that knows no bound stands at, with room to go on. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  private final BoundHasher<T> hashing;
  private final WindowSizing sizing;
  private final Pace pace;
  private final SliceRing ring;
  private final long stretchKeys;
  private final DropTally tally = new DropTally();

  private WindowedBloomFilter(
      BoundHasher<T> hashing, WindowSizing sizing, Pace pace, SliceRing ring) {
    this.hashing = hashing;
    this.sizing = sizing;
    this.pace = pace;
    this.ring = ring;
    this.stretchKeys = sizing.generationKeys() / STRETCHES + 1;
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> WindowedBloomFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new WindowedBloomFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Reads a filter with a window of puts that {@link #writeTo} wrote; reads nothing past its end.
   *
   * @param in the bytes, from outside and not trusted
   * @param hasher must hash as the one that filled the filter, which the bytes cannot tell
   * @param maxBytes the most memory the filter's bits may take, in bytes
   * @throws dev.tamis.format.FormatException if the bytes are not such a filter, are damaged, claim
   *     more memory, or hold a window of time
   * @throws IOException if {@code in} fails
   */
  public static <T> WindowedBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return WindowedBloomFilterFrame.read(in, hasher, maxBytes, null);
  }

  /**
   * Does what {@link #readFrom(InputStream, KeyHasher, long)} does for windows of either form. What
   * expired between writing and reading is forgotten.
   *
   * @param clock by which a window of time goes on; not used for a window of puts
   */
  public static <T> WindowedBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes, InstantSource clock)
      throws IOException {
    return WindowedBloomFilterFrame.read(in, hasher, maxBytes, requireNonNull(clock, "clock"));
  }

  /** Returns a filter over a ring that may hold keys already. */
  static <T> WindowedBloomFilter<T> of(
      BoundHasher<T> hashing, WindowSizing sizing, Pace pace, SliceRing ring) {
    WindowedBloomFilter<T> filter = new WindowedBloomFilter<>(hashing, sizing, pace, ring);
    long keys = Math.min(UNBOUNDED, filter.approximateElementCount().rounded());
    filter.tally.restart(keys, filter.fpp(0));
    return filter;
  }

  /**
   * Allocates an empty ring.
   *
   * @throws IllegalArgumentException if the heap cannot hold it
   */
  static SliceRing ring(WindowSizing sizing) {
    HeapLimit.check(sizing.bits() / Byte.SIZE);
    return new SliceRing(sizing.hashes(), sizing.generations(), sizing.sliceBits());
  }

  @Override
  public boolean putHash(long hash) {
    int due = pace.advance(sizing.slices());
    if (due > 0) {
      turn(due);
    }
    boolean isNew = !ring.mightContain(hash, 0);
    ring.put(hash);
    pace.put();
    tally.count(isNew);
    if (tally.stretchAccepted() >= stretchKeys) {
      turn(0);
    }
    return isNew;
  }

  private void turn(int times) {
    tally.end(fpp(0));
    ring.turn(times);
    tally.begin(fpp(0));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return ring.mightContain(hash, due());
  }

  private int due() {
    return pace.due(sizing.slices());
  }

  @Override
  public BoundHasher<T> hasher() {
    return hashing;
  }

  /**
   * {@inheritDoc}
   *
   * <p>Here it costs a few thousand multiplications, because the ones of each slice are known.
   */
  @Override
  public double expectedFpp() {
    return fpp(due());
  }

  private double fpp(int due) {
    double[] fills = new double[sizing.slices() - due];
    for (int age = 0; age < fills.length; age++) {
      fills[age] = (double) ring.ones(age) / sizing.sliceBits();
    }
    return WindowSizing.fpp(sizing.hashes(), fills);
  }

  /**
   * Returns how many keys the filter remembers, as far as its bits tell. A key that was put again
   * counts once more for every k generations, {@link WindowSizing#hashes}, in which it was.
   */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    // every k-th slice, from the oldest that is asked: together they saw each generation once
    Shape slice = new Shape(Layout.CLASSIC, sizing.sliceBits(), 1);
    double value = 0;
    double low = 0;
    double variance = 0;
    for (int age = sizing.generations() - due(); age >= 0; age -= sizing.hashes()) {
      Estimate keys = KeyCounts.keys(slice, ring.ones(age), confidence);
      double margin = keys.high() - keys.value();
      value += keys.value();
      low += keys.low();
      variance += margin * margin;
    }
    return Double.isFinite(value)
        ? Estimate.around(value, Math.sqrt(variance))
        : new Estimate(value, low, value);
  }

  /**
   * Returns how many puts returned true, also of keys forgotten since. In a filter that was read it
   * goes on from an estimate of the keys that came with the bytes.
   */
  @Override
  public long acceptedKeys() {
    return tally.accepted();
  }

  @Override
  public double expectedWrongDrops() {
    return tally.expectedWrongDrops(fpp(0));
  }

  /** Returns an independent filter with the same bits, by the same clock. */
  public WindowedBloomFilter<T> copy() {
    SliceRing bits = ring(sizing);
    bits.copyFrom(ring);
    WindowedBloomFilter<T> copy = new WindowedBloomFilter<>(hashing, sizing, pace.copy(), bits);
    copy.tally.restart(acceptedKeys(), fpp(0));
    return copy;
  }

  /** Forgets all keys, and begins as when it was built. */
  public void clear() {
    ring.clear();
    pace.restart();
    tally.restart(0, 0);
  }

  /**
   * Returns the slices and the keys they are meant for; a window of puts is their expected keys.
   */
  public WindowSizing sizing() {
    return sizing;
  }

  /** Returns the window of time for which a put is remembered at least, or nothing for puts. */
  public Optional<Duration> duration() {
    return pace.nanos() == 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(sizing.generations() * pace.nanos()));
  }

  /** Returns p, the fpp that was asked for. */
  public double fpp() {
    return sizing.fpp();
  }

  @Override
  public long bitSize() {
    return sizing.bits();
  }

  @Override
  public Kind kind() {
    return Kind.WINDOWED_BLOOM;
  }

  @Override
  public long serializedSize() {
    return WindowedBloomFilterFrame.bytes(sizing);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    WindowedBloomFilterFrame.write(out, hashing.id(), sizing, pace, ring);
  }

  /**
   * Returns whether {@code object} is a filter of the same sizing, window and hash with the same
   * bits, as far through its generation.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof WindowedBloomFilter<?> other
        && sizing.equals(other.sizing)
        && hashId().equals(other.hashId())
        && pace.nanos() == other.pace.nanos()
        && pace.state() == other.pace.state()
        && ring.youngest() == other.ring.youngest()
        && Arrays.equals(ring.words(), other.ring.words());
  }

  @Override
  public int hashCode() {
    return 31 * sizing.hashCode() + Arrays.hashCode(ring.words());
  }

  @Override
  public Traits traits() {
    return Traits.of("WindowedBloomFilter")
        .matching(
            "window", duration().map(Duration::toString).orElse(sizing.expectedKeys() + " puts"))
        .matching("generations", sizing.generations())
        .matching("hashes", sizing.hashes())
        .matching("slice bits", sizing.sliceBits())
        .with("bits", bitSize())
        .with("expected keys", sizing.expectedKeys())
        .with("requested fpp", fpp())
        .matching("hash", hashId());
  }

  @Override
  public String toString() {
    return traits().toString();
  }
}
