package dev.tamis.tools.dedup;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.BloomFilterBuilder;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Tells the first time an element comes from the times after, in the memory of a filter.
 *
 * <pre>{@code
 * Deduplicator<String> dedup =
 *     Deduplicator.<String>builder(KeyHasher.text()).fpp(1e-6).build();
 * try (Stream<String> lines = Files.lines(path)) {
 *   lines.filter(dedup::firstSeen).forEach(out::println);
 * }
 * out.println(dedup.summary().duplicates() + " repeats");
 * }</pre>
 *
 * <p>A repeat is never taken for new. Once in about 1/fpp times something new is taken for a
 * repeat; {@link DedupSummary#expectedWrongDrops} says how often that should have happened. Where
 * not even that may be, keep the elements themselves.
 *
 * <p>With {@link Builder#expectedKeys} the memory is fixed, and the fpp rises when more elements
 * come than expected. Without it the filter grows, and the fpp stays.
 *
 * <p>Any number of threads may use it at once, parallel streams included, and of all that bring one
 * element exactly one gets the answer that it is the first, unless the filter reported the element
 * when none had brought it: {@link DedupSummary#expectedWrongDrops} counts these.
 */
public final class Deduplicator<T> {

  /*
   * Both counts are of answers, and rise after the filter has given them: the filter's own count may
   * include puts of other processes, and an answer that never came is counted nowhere. Elements seen
   * are counted first and read last, so no summary finds more unique elements than seen ones.
   */

  private final HashedMutableFilter<T> filter;
  private final @Nullable Adders adders;
  private long seen;
  private long unique;

  private Deduplicator(HashedMutableFilter<T> filter) {
    this.filter = filter;
    this.adders = filter.isThreadSafe() ? new Adders() : null;
  }

  /**
   * Starts a deduplicator whose elements are hashed by {@code hasher}, under a random key unless it
   * has one: elements that hide others cannot be chosen. To continue in another process, give
   * {@link #over} a filter of your own.
   */
  public static <T> Builder<T> builder(KeyHasher<? super T> hasher) {
    return new Builder<>(requireNonNull(hasher, "hasher"));
  }

  /**
   * Returns a deduplicator that continues with what {@code filter} holds, for a shape of its own.
   * It is thread-safe if the filter is.
   *
   * <p>Others may put into the filter too, other processes included, if that is exact: of all who
   * put one element at most one gets the answer that it is new. Then each element is the first of
   * one deduplicator at most. {@link DedupSummary#seen} and {@link DedupSummary#unique} count what
   * this deduplicator was asked and answered; {@link DedupSummary#fpp} and {@link
   * DedupSummary#expectedWrongDrops} are those of the filter, so of all who put into it, as far as
   * the filter knows of them.
   *
   * <p>What the filter throws comes out as it is, and the elements of that call are not counted.
   * Where it lost its server, it is unknown which of them it has: those will look like repeats.
   */
  public static <T> Deduplicator<T> over(HashedMutableFilter<T> filter) {
    return new Deduplicator<>(requireNonNull(filter, "filter"));
  }

  /**
   * Returns true if {@code element} was certainly not seen before, false if it probably was. From
   * now on it has been.
   *
   * @throws NullPointerException if {@code element} is null
   */
  public boolean firstSeen(T element) {
    return firstSeenHash(filter.hashOf(element));
  }

  /** Answers as {@link #firstSeen} does for the element with this hash. */
  public boolean firstSeenHash(long hash) {
    boolean first = filter.putHash(hash);
    count(1, first ? 1 : 0);
    return first;
  }

  private void count(int elements, int firsts) {
    if (adders != null) {
      adders.seen.add(elements);
      adders.unique.add(firsts);
    } else {
      seen += elements;
      unique += firsts;
    }
  }

  /**
   * Answers as {@link #firstSeenHash} does for several elements in order. A filter on a server is
   * asked for all of them at once.
   *
   * @param hashes the hashes, from index 0 on
   * @param count how many there are
   * @param first where the answers go, from index 0 on
   */
  public void firstSeenHashes(long[] hashes, int count, boolean[] first) {
    Objects.checkFromIndexSize(0, count, Math.min(hashes.length, first.length));
    filter.putHashes(hashes, count, first);
    int firsts = 0;
    for (int i = 0; i < count; i++) {
      firsts += first[i] ? 1 : 0;
    }
    count(count, firsts);
  }

  /**
   * Returns the hash that {@link #firstSeenHash} takes for {@code element}.
   *
   * @throws NullPointerException if {@code element} is null
   */
  public long hashOf(T element) {
    return filter.hashOf(element);
  }

  /** Returns how many elements were seen since this was created or loaded. Costs nothing. */
  public long seen() {
    return adders != null ? adders.seen.sum() : seen;
  }

  /** Returns how many of those were certainly seen for the first time. Costs next to nothing. */
  public long unique() {
    return adders != null ? adders.unique.sum() : unique;
  }

  /**
   * Returns the summary so far. Costs one pass over the filter's bits, for the fpp; {@link #seen}
   * and {@link #unique} are to be had for less.
   */
  public DedupSummary summary() {
    long unique = unique(); // before seen, which other threads may be raising
    return DedupSummary.of(filter, seen(), unique);
  }

  /**
   * Returns the filter that holds what was seen; for reading, and where it was given to {@link
   * #over}, for writing it to a file, so that a later run continues with it.
   */
  public HashedMutableFilter<T> filter() {
    return filter;
  }

  /** The counts where several threads raise them. */
  private static final class Adders {
    final LongAdder seen = new LongAdder();
    final LongAdder unique = new LongAdder();
  }

  /**
   * Settings of a deduplicator. Each setter checks its own value at once; {@link #build} checks
   * that together they are enough.
   */
  public static final class Builder<T> {

    /** The first stage of a filter that grows, without a better guess: about 4 MB at 1e-6. */
    private static final long STARTING_KEYS = 1_000_000;

    private final KeyHasher<? super T> hasher;
    private @Nullable Double fpp;
    private @Nullable Long expectedKeys;
    private @Nullable Long startingKeys;
    private @Nullable Runnable whenOver;

    private Builder(KeyHasher<? super T> hasher) {
      this.hasher = hasher.withRandomKey();
    }

    /** Sets p, the probability that something new is taken for a repeat; required, in (0, 1). */
    public Builder<T> fpp(double fpp) {
      this.fpp = Checks.fpp(fpp);
      return this;
    }

    /** Sets n, the distinct elements expected, at least 1; the memory is fixed by this. */
    public Builder<T> expectedKeys(long expectedKeys) {
      this.expectedKeys = Checks.atLeast("expectedKeys", expectedKeys, 1);
      return this;
    }

    /**
     * Sets the distinct elements there is room for before the filter first grows, at least 1; a
     * good guess saves time and memory.
     */
    public Builder<T> startingKeys(long startingKeys) {
      this.startingKeys = Checks.atLeast("startingKeys", startingKeys, 1);
      return this;
    }

    /**
     * Runs {@code action} once, in the thread that brings the first element over {@link
     * #expectedKeys}, from which on the fpp rises. An exception it throws propagates from there.
     */
    public Builder<T> whenOverCapacity(Runnable action) {
      this.whenOver = requireNonNull(action, "action");
      return this;
    }

    /**
     * Builds a deduplicator that has seen nothing.
     *
     * @throws IllegalStateException if {@link #fpp} was not called, or settings contradict each
     *     other
     * @throws IllegalArgumentException if no such filter is possible, or this JVM's heap cannot
     *     hold it
     */
    public Deduplicator<T> build() {
      if (fpp == null) {
        throw new IllegalStateException("call fpp(probability) first");
      }
      if (expectedKeys != null && startingKeys != null) {
        throw new IllegalStateException(
            "expectedKeys fixes the size, startingKeys lets it grow: leave one of them out");
      }
      if (expectedKeys != null) {
        BloomFilterBuilder<T> fixed =
            BloomFilter.<T>builder(hasher).expectedKeys(expectedKeys).fpp(fpp);
        if (whenOver != null) {
          fixed.whenKeysReach(expectedKeys + 1, whenOver);
        }
        return over(fixed.build());
      }
      if (whenOver != null) {
        throw new IllegalStateException(
            "whenOverCapacity needs expectedKeys: without them the filter grows");
      }
      long keys = startingKeys != null ? startingKeys : STARTING_KEYS;
      return over(ScalableBloomFilter.<T>builder(hasher).initialKeys(keys).fpp(fpp).build());
    }
  }
}
