package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Sized;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.StripeCounts;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.internal.hashes.HashCollisions;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.WindowSizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that remembers the last puts and forgets what is older. Thread-safe.
 *
 * <p>Choose it for an endless stream of keys of which only the recent matter. It needs about twice
 * the bits per key of its window that a {@link BloomFilter} needs, however long it runs.
 *
 * <pre>{@code
 * WindowedBloomFilter<String> recent =
 *     WindowedBloomFilter.<String>builder(KeyHasher.text()).window(1_000_000).fpp(0.001).build();
 * if (recent.put(messageId)) {
 *   handle(message); // certainly not among the last million
 * }
 * }</pre>
 *
 * <p>A window of W puts holds the last W puts, each for (1 + slack)·W puts at most (or one more
 * than W). Every put counts, and a put of a known key refreshes it. For keys that were never put,
 * the fpp is at most the requested one at any time. A key that was forgotten j generations ago,
 * slack·W puts each, is still reported present with a probability of about 2^−j.
 *
 * <p>A window of time holds every put for the window, and for (1 + slack) times that at most. The
 * fpp is kept while no more than the expected keys arrive within a window, evenly spread; otherwise
 * it rises, as {@link #expectedFpp} shows. A clock that goes back makes it remember longer, never
 * shorter.
 *
 * <p>Any number of threads may use one filter. Of all puts of a key exactly one returns true as
 * long as the key is within the window, unless the filter already reported the key when that put
 * took effect; {@link #expectedWrongDrops} counts these. Once any put of a key has returned, {@code
 * mightContain} is true for it until the window has passed. Lookups never wait. A put waits for
 * another of the same stripe, and for a rotation, which clears one slice. In a window of time a put
 * belongs to the instant it reads from the clock, as its first step.
 *
 * @param <T> the type of key
 * @see <a href="https://arxiv.org/abs/2001.03147">Shtul, Baquero, Almeida 2020, Age-partitioned
 *     Bloom filters</a>
 */
@SuppressWarnings("serial") // by its bytes, see SerializableFilter
public final class WindowedBloomFilter<T> extends SerializableFilter<T>
    implements HashedMutableFilter<T>, DropAware, Sized, Storable {

  /*
   * The paper's shift is a rotation here. The first put after the end of a generation rotates; until
   * then lookups skip the slices that the rotation will clear, so they change nothing.
   *
   * Threads. A put holds the stripe of its hash, a rotation or other operation on the whole filter
   * holds all stripes. So between two rotations bits are only ever set, and puts of one key exclude
   * each other. The first that finds the key missing has set all its bits when it releases the
   * stripe, and they stay for the window, so every later put finds them. A put that returns false has
   * seen k bits in a row set, all of which were set when it saw the last, so the filter reported the
   * key then. Hence exactly one put returns true. Two puts of different keys that share bits may both
   * return true where in sequence the second would have been a false positive.
   *
   * Lookups hold nothing. What a rotation changes for them, the youngest slice and the start of the
   * generation, is in one Generation, which they read once. A rotation publishes the next one and then
   * clears its slices; lookups skip those that are still dirty. If a lookup finds nothing and the
   * generation is unchanged afterwards, no slice that counted was cleared meanwhile. Otherwise it
   * starts over, only because a rotation was made, so it never blocks. Without that it could miss a
   * key that is put again during two rotations, in slices of the first generation and of the third.
   */

  /** The stretches of {@link DropTally} in a generation of its planned size. */
  private static final int STRETCHES = 4;

  /** A rotation takes all stripes, and rotations are frequent in small windows. */
  private static final int MAX_STRIPES = 128;

  /** Words per stripe, so that stripes and their counters stay small. */
  private static final int WORDS_PER_STRIPE = 256;

  /** The start of a count without bound, with room to increase. */
  private static final long UNBOUNDED = Long.MAX_VALUE / 2;

  private static final int PUTS = 0;
  private static final int ACCEPTED = 1;

  private final WindowSizing sizing;
  private final RotationPolicy policy;
  private final SliceRing ring;
  private final @Nullable Stripes stripes;
  private final StripeCounts counts;
  private final Generation.Batches batches;
  private final DropTally tally = new DropTally();
  private volatile long earlierAccepted;
  private volatile Generation generation;

  private WindowedBloomFilter(
      BoundHasher<T> hashing, WindowSizing sizing, RotationPolicy policy, Ring ring, long state) {
    super(Kind.WINDOWED_BLOOM, hashing);
    this.sizing = sizing;
    this.policy = policy;
    this.ring = ring.slices();
    this.stripes = ring.stripes();
    int stripeCount = stripes == null ? 0 : stripes.count();
    this.counts = new StripeCounts(Math.max(1, stripeCount), 2);
    long generationKeys = sizing.generationKeys();
    this.batches =
        Generation.Batches.of(stripeCount, generationKeys, generationKeys / STRETCHES + 1);
    this.generation = new Generation(ring.slices().youngest(), state, policy, batches, 0);
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> WindowedBloomFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new WindowedBloomFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /** Reads a filter with a window of puts that {@link #writeTo} wrote, as {@link Filters} does. */
  public static <T> WindowedBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return WindowedBloomFilterFrame.read(
        FrameReader.of(Kind.WINDOWED_BLOOM, in, maxBytes), hasher, null);
  }

  /**
   * Reads a filter whose window is of puts or of time. What expired between writing and reading is
   * forgotten.
   *
   * @param clock the clock of a window of time; not used for a window of puts
   */
  public static <T> WindowedBloomFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes, InstantSource clock)
      throws IOException {
    return WindowedBloomFilterFrame.read(
        FrameReader.of(Kind.WINDOWED_BLOOM, in, maxBytes), hasher, requireNonNull(clock, "clock"));
  }

  /** Returns a filter over a ring that may have keys; for {@code state} see RotationPolicy. */
  static <T> WindowedBloomFilter<T> of(
      BoundHasher<T> hashing, WindowSizing sizing, RotationPolicy policy, Ring ring, long state) {
    WindowedBloomFilter<T> filter = new WindowedBloomFilter<>(hashing, sizing, policy, ring, state);
    filter.restartTally(Math.min(UNBOUNDED, filter.approximateElementCount().rounded()));
    return filter;
  }

  /** The slices of a filter and its stripes, null in a filter for a single thread. */
  record Ring(SliceRing slices, @Nullable Stripes stripes) {

    static Ring of(WindowSizing sizing, boolean threadSafe) {
      Stripes stripes =
          threadSafe
              ? Stripes.forWords(
                  Math.min(
                      MAX_STRIPES * (long) Long.SIZE,
                      sizing.bits() / Long.SIZE * Long.SIZE / WORDS_PER_STRIPE))
              : null;
      int count = stripes == null ? 0 : stripes.count();
      return new Ring(
          new SliceRing(sizing.hashes(), sizing.generations(), sizing.sliceBits(), count), stripes);
    }
  }

  @Override
  public boolean putHash(long hash) {
    long now = policy.now();
    int stripe = stripes == null ? 0 : stripes.of(hash);
    boolean mayPut;
    boolean isNew = false;
    boolean isStretchOver = false;
    lock(stripe);
    try {
      Generation current = generation;
      mayPut = policy.due(current, now, sizing.slices()) == 0 && current.tryReserve();
      if (mayPut) {
        isNew = putLocked(hash, stripe);
        isStretchOver = current.finish(counts.add(stripe, PUTS, 1));
      }
    } finally {
      unlock(stripe);
    }
    if (!mayPut) {
      return putAfterRotation(hash, now, stripe);
    }
    if (isStretchOver) {
      endStretch();
    }
    return isNew;
  }

  private boolean putLocked(long hash, int stripe) {
    long missing = ring.missing(hash); // before the branch, so that all memory is fetched together
    boolean isNew = !ring.mightContain(hash, ring.youngest(), sizing.generations(), 0);
    ring.put(hash, missing, stripe);
    if (isNew) {
      counts.add(stripe, ACCEPTED, 1);
    }
    return isNew;
  }

  /** Rotates if that is due, and puts before any other thread can. */
  private boolean putAfterRotation(long hash, long now, int stripe) {
    lockAll();
    try {
      if (policy.nanos() == 0) {
        generation.makeExact(counts.sum(PUTS));
      }
      int due = policy.due(generation, now, sizing.slices());
      if (due > 0) {
        rotate(due, now);
      }
      if (!generation.tryReserve()) {
        throw new AssertionError("a generation that has not ended has no room for a put");
      }
      boolean isNew = putLocked(hash, stripe);
      boolean unused = generation.finish(counts.add(stripe, PUTS, 1));
      return isNew;
    } finally {
      unlockAll();
    }
  }

  private void rotate(int times, long now) {
    tally.end(fpp(0), present());
    begin(ring.youngestAfter(times), times, policy.next(generation, now));
    ring.turn(times);
    generation.setDirtySlices(0);
    tally.begin(fpp(0));
  }

  /** Publishes a generation before its slices are cleared. */
  private void begin(int youngest, int dirtySlices, long state) {
    Generation next = new Generation(youngest, state, policy, batches, counts.sum(PUTS));
    next.setDirtySlices(dirtySlices);
    generation = next;
    VarHandle.storeStoreFence();
  }

  private void endStretch() {
    lockAll();
    try {
      if (generation.isStretchOver()) {
        double fpp = fpp(0);
        tally.end(fpp, present());
        tally.begin(fpp);
        generation.beginStretch();
      }
    } finally {
      unlockAll();
    }
  }

  private DropTally.Counts present() {
    return new DropTally.Counts(counts.sum(PUTS), counts.sum(ACCEPTED));
  }

  private void lock(int stripe) {
    if (stripes != null) {
      stripes.lock(stripe);
    }
  }

  private void unlock(int stripe) {
    if (stripes != null) {
      stripes.unlock(stripe);
    }
  }

  private void lockAll() {
    if (stripes != null) {
      stripes.lockAll();
    }
  }

  private void unlockAll() {
    if (stripes != null) {
      stripes.unlockAll();
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    VarHandle.acquireFence(); // or the loads of a loop that waits for a key would be done once
    long now = policy.now();
    while (true) {
      Generation current = generation;
      int oldest = sizing.generations() - policy.due(current, now, sizing.slices());
      boolean found = ring.mightContain(hash, current.youngest(), oldest, current.dirtySlices());
      VarHandle.acquireFence(); // what follows sees what was done before the key was put
      if (found || current == generation) {
        return found;
      }
    }
  }

  /** {@inheritDoc} Costs a few thousand multiplications here; puts wait meanwhile. */
  @Override
  public double expectedFpp() {
    long now = policy.now();
    double positions;
    lockAll();
    try {
      positions = fpp(due(now));
    } finally {
      unlockAll();
    }
    return HashCollisions.addedTo(positions, approximateElementCount().value());
  }

  private int due(long now) {
    return policy.due(generation, now, sizing.slices());
  }

  /** Returns the fpp after {@code due} more rotations; the caller holds all stripes. */
  private double fpp(int due) {
    double[] fills = new double[sizing.slices() - due];
    for (int age = 0; age < fills.length; age++) {
      fills[age] = (double) ring.ones(age) / sizing.sliceBits();
    }
    return WindowSizing.fpp(sizing.hashes(), fills);
  }

  /**
   * Returns an estimate of the keys the filter remembers. A key that was put again counts once more
   * for every k generations, {@link WindowSizing#hashes}, in which it was.
   */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    // every k-th slice, from the oldest that counts: together they saw each generation once
    Shape slice = new Shape(Layout.CLASSIC, sizing.sliceBits(), 1);
    double value = 0;
    double low = 0;
    double variance = 0;
    for (long ones : onesOfEachGeneration()) {
      Estimate keys = KeyCounts.keys(slice, ones, confidence);
      double margin = keys.high() - keys.value();
      value += keys.value();
      low += keys.low();
      variance += margin * margin;
    }
    return Double.isFinite(value)
        ? Estimate.around(value, Math.sqrt(variance))
        : new Estimate(value, low, value);
  }

  private long[] onesOfEachGeneration() {
    long now = policy.now();
    lockAll();
    try {
      int oldest = sizing.generations() - due(now);
      return IntStream.iterate(oldest, age -> age >= 0, age -> age - sizing.hashes())
          .mapToLong(ring::ones)
          .toArray();
    } finally {
      unlockAll();
    }
  }

  /**
   * Returns how many puts returned true, also of keys forgotten since; after deserialization it
   * continues from an estimate.
   */
  @Override
  public long acceptedKeys() {
    VarHandle.acquireFence();
    return earlierAccepted + counts.sum(ACCEPTED);
  }

  @Override
  public double expectedWrongDrops() {
    lockAll();
    try {
      return tally.expectedWrongDrops(fpp(0), present());
    } finally {
      unlockAll();
    }
  }

  /** Continues from {@code keys} accepted keys; the caller is alone or holds all stripes. */
  private void restartTally(long keys) {
    DropTally.Counts present = present();
    earlierAccepted = keys - present.accepted();
    tally.restart(fpp(0), present);
  }

  /** Returns an independent snapshot, with the same clock and thread-safe if this is. */
  public WindowedBloomFilter<T> copy() {
    Ring bits = Ring.of(sizing, isThreadSafe());
    lockAll();
    try {
      bits.slices().copyFrom(ring);
      WindowedBloomFilter<T> copy =
          new WindowedBloomFilter<>(hashing, sizing, policy, bits, state());
      copy.restartTally(acceptedKeys());
      return copy;
    } finally {
      unlockAll();
    }
  }

  /** Returns the state of the file format; the caller holds all stripes. */
  private long state() {
    return generation.state(counts.sum(PUTS));
  }

  /** Removes all keys and starts a new window. */
  public void clear() {
    long now = policy.now();
    lockAll();
    try {
      begin(0, sizing.slices(), now);
      ring.clear();
      generation.setDirtySlices(0);
      restartTally(0);
    } finally {
      unlockAll();
    }
  }

  /** Returns the sizes of the filter; a window of puts is its expected keys. */
  public WindowSizing sizing() {
    return sizing;
  }

  /** Returns the time for which a put is remembered at least; empty for a window of puts. */
  public Optional<Duration> duration() {
    return policy.nanos() == 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(sizing.generations() * policy.nanos()));
  }

  @Override
  public long expectedKeys() {
    return sizing.expectedKeys();
  }

  @Override
  public double fpp() {
    return sizing.fpp();
  }

  @Override
  public long bitSize() {
    return sizing.bits();
  }

  @Override
  public long serializedSize() {
    return WindowedBloomFilterFrame.bytes(sizing);
  }

  /** {@inheritDoc} The snapshot of a thread-safe filter takes as much memory again. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    WindowedBloomFilter<T> still = isThreadSafe() ? copy() : this;
    WindowedBloomFilterFrame.write(
        out, hashing.id(), sizing, policy.nanos(), still.state(), still.ring);
  }

  @Override
  public boolean isThreadSafe() {
    return stripes != null;
  }

  /** Returns whether {@code object} is a filter of the same window, hash, bits and progress. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof WindowedBloomFilter<?> other
        && sizing.equals(other.sizing)
        && hashId().equals(other.hashId())
        && policy.nanos() == other.policy.nanos()
        && state() == other.state()
        && generation.youngest() == other.generation.youngest()
        && ring.words().equals(other.ring.words());
  }

  @Override
  public int hashCode() {
    return 31 * sizing.hashCode() + ring.words().hashCode();
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
        .with("expected keys", expectedKeys())
        .with("requested fpp", fpp())
        .matching("hash", hashId());
  }
}
