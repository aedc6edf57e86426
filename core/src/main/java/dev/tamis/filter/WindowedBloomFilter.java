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
import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.internal.bits.Words;
import dev.tamis.internal.hashes.HashCollisions;
import dev.tamis.sizing.WindowSizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
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
 * <p>A window is divided into 7 generations. One of W puts, rounded up to a multiple of 7,
 * remembers the last W puts, and each for W·8/7 puts at most. Every put counts, and a put of a
 * known key refreshes it. For keys that were never put, or were forgotten, the fpp is at most the
 * requested one at any time.
 *
 * <p>A window of time holds every put for the window, and for 8/7 of it at most. The fpp is kept
 * while no more than the expected keys arrive within a window, evenly spread; otherwise it rises,
 * as {@link #expectedFpp} shows. A clock that goes back makes it remember longer, never shorter.
 *
 * <p>Any number of threads may use one filter. Of all puts of a key exactly one returns true as
 * long as the key is within the window, unless the filter already reported the key when that put
 * took effect; {@link #expectedWrongDrops} counts these. Once any put of a key has returned, {@code
 * mightContain} is true for it until the window has passed. Lookups never wait. A put waits while
 * another writes to the same part of the filter, some nanoseconds, and no put clears more than the
 * blocks of its key. In a window of time a put belongs to the instant it reads from the clock, as
 * its first step. Locks, and what says which block is to be cleared, take 3 % more memory than the
 * bits.
 *
 * @param <T> the type of key
 */
@SuppressWarnings("serial") // by its bytes, see SerializableFilter
public final class WindowedBloomFilter<T> extends SerializableFilter<T>
    implements HashedMutableFilter<T>, DropAware, Sized, Storable {

  /*
   * Threads. A put holds the stripes of its key's blocks, in ascending order, a rotation or other
   * operation on the whole filter all of them. So each word has one writer at a time, and puts of one
   * key exclude each other: the first that finds the key missing returns true and has set all its
   * bits when it releases the stripes; they stay for the window, so every later put finds them.
   *
   * A rotation publishes the next Generation, no more. Lookups hold nothing and read it once. Bits
   * that count in a generation are not cleared before the next has begun, so if a lookup finds
   * nothing and the generation is unchanged afterwards, none was cleared meanwhile. Otherwise it
   * starts over, only because a rotation was made, so it never blocks. Without that it could miss a
   * key that is put again during a rotation.
   */

  /** As bits of a long name the stripes that a put holds. */
  private static final int MAX_STRIPES = Long.SIZE;

  /** Words per stripe, so that stripes and their counters stay small. */
  private static final int WORDS_PER_STRIPE = 256;

  private static final int LANES = WindowSizing.LIVE_GENERATIONS;

  private final WindowSizing sizing;
  private final Pace pace;
  private final WindowBlocks blocks;
  private final @Nullable Stripes stripes;
  private final WindowProgress progress;
  private volatile Generation generation;

  /**
   * Creates a filter over blocks that may have keys.
   *
   * @param ones their set bits in each generation, by age
   */
  WindowedBloomFilter(
      BoundHasher<T> hashing,
      WindowSizing sizing,
      Pace pace,
      WindowBlocks blocks,
      long[] ones,
      Start start) {
    super(Kind.WINDOWED_BLOOM, hashing);
    this.sizing = sizing;
    this.pace = pace;
    this.blocks = blocks;
    this.stripes =
        start.isShared()
            ? Stripes.forWords(
                Math.min(
                    MAX_STRIPES * (long) Long.SIZE,
                    sizing.bits() / Long.SIZE * Long.SIZE / WORDS_PER_STRIPE))
            : null;
    this.generation = new Generation(start.epoch(), pace.isOfTime() ? start.state() : 0);
    Arrays.fill(ones, LANES - pace.due(generation, pace.now()), LANES, 0);
    this.progress =
        new WindowProgress(
            sizing,
            !pace.isOfTime(),
            stripes == null ? 1 : stripes.count(),
            generation.lane(),
            pace.isOfTime() ? 0 : start.state(),
            ones);
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

  /**
   * How generations follow each other: by a clock, or without one after a number of puts.
   *
   * @param nanos the duration of a generation, 0 without a clock
   */
  record Pace(@Nullable InstantSource clock, long nanos) {

    static final Pace BY_PUTS = new Pace(null, 0);

    boolean isOfTime() {
      return clock != null;
    }

    /** Returns the nanoseconds since 1970, saturated; 0 without a clock. */
    long now() {
      if (clock == null) {
        return 0;
      }
      Instant now = clock.instant();
      try {
        return Duration.between(Instant.EPOCH, now).toNanos();
      } catch (ArithmeticException e) {
        return now.isBefore(Instant.EPOCH) ? Long.MIN_VALUE : Long.MAX_VALUE;
      }
    }

    /** Returns how many generations have ended by time, as far as there are keys to forget. */
    int due(Generation generation, long now) {
      if (clock == null || now <= generation.start()) {
        return 0; // a clock that goes back makes it last longer
      }
      // the difference is right as an unsigned number, however far apart the two are
      long ended = Long.divideUnsigned(now - generation.start(), nanos);
      return Long.compareUnsigned(ended, LANES) < 0 ? (int) ended : LANES;
    }

    /** Returns when the generation begins that {@code now} is in. */
    long startOfNext(Generation generation, long now) {
      return clock == null ? 0 : now - Long.remainderUnsigned(now - generation.start(), nanos);
    }
  }

  /**
   * How far a filter has come, as in the file format.
   *
   * @param epoch the present generation, see {@link WindowBlocks}
   * @param state when it began, or the puts in it without a clock
   */
  record Start(int epoch, long state, boolean isShared) {}

  /** A generation and the instant in which it began, 0 without a clock. */
  private record Generation(int epoch, long start) {

    int lane() {
      return epoch & (LANES - 1);
    }
  }

  @Override
  public boolean putHash(long hash) {
    long now = pace.now();
    while (true) {
      long held = lock(hash);
      int stripe = stripes == null ? 0 : Long.numberOfTrailingZeros(held);
      int lanes = 0;
      boolean mayPut;
      boolean isTurn = true;
      try {
        Generation current = generation;
        mayPut = pace.due(current, now) == 0 && progress.mayPut(stripe);
        if (mayPut) {
          lanes = blocks.put(hash, current.epoch());
          isTurn = progress.count(stripe, lanes);
        }
      } finally {
        unlock(held);
      }
      if (isTurn) {
        turn(now);
      }
      if (mayPut) {
        return lanes == 0;
      }
    }
  }

  /** Ends a stretch, and the generation, if that is due. */
  private void turn(long now) {
    lockAll();
    try {
      int due = pace.due(generation, now);
      if (due > 0 || progress.endStretch()) {
        int times = Math.max(1, due);
        progress.rotate(times);
        begin(times, pace.startOfNext(generation, now));
      }
    } finally {
      unlockAll();
    }
  }

  /** Begins a later generation; the caller holds all stripes. */
  private void begin(int times, long start) {
    int before = generation.epoch();
    int epoch = before + times;
    generation = new Generation(epoch, start);
    // floorDiv, as epochs pass through negative numbers, where / would skip a pass around 0
    if (Math.floorDiv(epoch, WindowBlocks.PASS) != Math.floorDiv(before, WindowBlocks.PASS)) {
      blocks.refresh(epoch);
    }
  }

  /** Takes the stripes of a key and returns them as bits. */
  private long lock(long hash) {
    if (stripes == null) {
      return 0;
    }
    long held = blocks.stripes(hash, stripes.count());
    for (long left = held; left != 0; left &= left - 1) {
      stripes.lock(Long.numberOfTrailingZeros(left));
    }
    return held;
  }

  private void unlock(long held) {
    if (stripes != null) {
      for (long left = held; left != 0; left &= left - 1) {
        stripes.unlock(Long.numberOfTrailingZeros(left));
      }
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
  public void putHashes(long[] hashes, int count, boolean[] isNew) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, isNew.length));
    for (int from = 0; from < count; from += Placement.BATCH) {
      int to = Math.min(count, from + Placement.BATCH);
      prefetch(hashes, from, to, isNew);
      for (int i = from; i < to; i++) {
        isNew[i] = putHash(hashes[i]);
      }
    }
  }

  @Override
  public void mightContainHashes(long[] hashes, int count, boolean[] answers) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, answers.length));
    for (int from = 0; from < count; from += Placement.BATCH) {
      int to = Math.min(count, from + Placement.BATCH);
      prefetch(hashes, from, to, answers);
      for (int i = from; i < to; i++) {
        answers[i] = mightContainHash(hashes[i]);
      }
    }
  }

  /** Fetches the memory of several keys; the writes to {@code scratch} keep the reads alive. */
  private void prefetch(long[] hashes, int from, int to, boolean[] scratch) {
    for (int i = from; i < to; i++) {
      scratch[i] = blocks.prefetch(hashes[i]) != 0;
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    VarHandle.acquireFence(); // or the loads of a loop that waits for a key would be done once
    long now = pace.now();
    while (true) {
      Generation current = generation;
      boolean isFound = blocks.lanes(hash, current.epoch() + pace.due(current, now)) != 0;
      VarHandle.acquireFence(); // what follows sees what was done before the key was put
      if (isFound || current.epoch() == generation.epoch()) {
        return isFound;
      }
    }
  }

  /**
   * Returns how many generations ago a key was last put, 0 to 7; empty if it is certainly not in
   * the window. A generation is a seventh of the window.
   *
   * <p>The answer is never older than the last put, and younger with the fpp at most; with that
   * probability a key that was never put has an age.
   */
  public OptionalInt age(T key) {
    long hash = hashOf(key);
    VarHandle.acquireFence();
    long now = pace.now();
    while (true) {
      Generation current = generation;
      int epoch = current.epoch() + pace.due(current, now);
      int lanes = blocks.lanes(hash, epoch);
      VarHandle.acquireFence();
      if (current.epoch() == generation.epoch()) {
        // rotated, so that the present lane is the highest
        int byAge = (lanes << LANES | lanes) >>> ((epoch + 1) & (LANES - 1)) & ((1 << LANES) - 1);
        int age = Integer.numberOfLeadingZeros(byAge) - (Integer.SIZE - LANES);
        return age < LANES ? OptionalInt.of(age) : OptionalInt.empty();
      }
    }
  }

  /** {@inheritDoc} Costs one pass over the bits. */
  @Override
  public double expectedFpp() {
    return HashCollisions.addedTo(blocks.fpp(epochNow()), approximateElementCount().value());
  }

  /** Returns the epoch, with the rotations that are due. */
  private int epochNow() {
    VarHandle.acquireFence();
    long now = pace.now();
    Generation current = generation;
    return current.epoch() + pace.due(current, now);
  }

  /**
   * Returns an estimate of the keys the filter remembers. A key counts once for each generation in
   * which it was put. Costs one pass over the bits.
   */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    double value = 0;
    double low = 0;
    double variance = 0;
    for (long ones : blocks.ones(epochNow())) {
      Estimate keys = sizing.generationKeys(ones, confidence);
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
   * Returns how many puts returned true, also of keys forgotten since; after deserialization it
   * continues from an estimate.
   */
  @Override
  public long acceptedKeys() {
    VarHandle.acquireFence();
    return progress.acceptedKeys();
  }

  @Override
  public double expectedWrongDrops() {
    lockAll();
    try {
      return progress.expectedWrongDrops();
    } finally {
      unlockAll();
    }
  }

  /** Returns an independent snapshot, with the same clock and thread-safe if this is. */
  public WindowedBloomFilter<T> copy() {
    WindowBlocks bits = new WindowBlocks(sizing);
    Start start;
    long accepted;
    lockAll();
    try {
      bits.copyFrom(blocks);
      start = new Start(generation.epoch(), state(), isThreadSafe());
      accepted = acceptedKeys();
    } finally {
      unlockAll();
    }
    WindowedBloomFilter<T> copy =
        new WindowedBloomFilter<>(hashing, sizing, pace, bits, bits.ones(start.epoch()), start);
    copy.progress.restart(accepted);
    return copy;
  }

  /** Returns the state of the file format; the caller holds all stripes. */
  private long state() {
    return pace.isOfTime() ? generation.start() : progress.puts();
  }

  /** Removes all keys and starts a new window. */
  public void clear() {
    long now = pace.now();
    lockAll();
    try {
      int times = 2 * LANES - generation.lane(); // to lane 0, where a filter begins
      progress.clear(times);
      begin(times, now);
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
    return pace.isOfTime()
        ? Optional.of(Duration.ofNanos(WindowSizing.GENERATIONS * pace.nanos()))
        : Optional.empty();
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
        out,
        hashing.id(),
        sizing,
        pace.nanos(),
        still.generation.lane(),
        still.state(),
        still.cells());
  }

  /** Clears what has expired, which changes no answer, and returns the bits. */
  private Words cells() {
    lockAll();
    try {
      blocks.refresh(generation.epoch());
      return blocks.cells();
    } finally {
      unlockAll();
    }
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
        && pace.nanos() == other.pace.nanos()
        && state() == other.state()
        && generation.lane() == other.generation.lane()
        && cells().equals(other.cells());
  }

  @Override
  public int hashCode() {
    return 31 * sizing.hashCode() + cells().hashCode();
  }

  @Override
  public Traits traits() {
    return Traits.of("WindowedBloomFilter")
        .matching(
            "window", duration().map(Duration::toString).orElse(sizing.expectedKeys() + " puts"))
        .matching("blocks per key", sizing.blocksPerKey())
        .matching("blocks", sizing.blocksPerKey() * sizing.blocks())
        .with("bits", bitSize())
        .with("expected keys", expectedKeys())
        .with("requested fpp", fpp())
        .matching("hash", hashId());
  }
}
