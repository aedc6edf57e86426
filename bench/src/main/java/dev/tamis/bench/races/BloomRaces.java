package dev.tamis.bench.races;

import dev.tamis.FilterFullException;
import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIJ_Result;
import org.openjdk.jcstress.infra.results.ZI_Result;
import org.openjdk.jcstress.infra.results.ZZJ_Result;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of Bloom filters, and of other filters where these promise the same. */
public final class BloomRaces {

  private BloomRaces() {}

  /**
   * Of two racing puts of one key exactly one returns true, and both threads find it afterwards.
   *
   * <p>No other key is put; also while the filter grows.
   */
  @JCStressTest
  @Outcome(id = "true, true, false, true", expect = Expect.ACCEPTABLE, desc = "the first won")
  @Outcome(id = "false, true, true, true", expect = Expect.ACCEPTABLE, desc = "the second won")
  @Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none, or a key denied")
  @State
  public static class OneWinner {

    private final HashedMutableFilter<Long> filter = RacingOthers.plainOrGrowing();

    @Actor
    public void first(ZZZZ_Result result) {
      result.r1 = filter.putHash(Racing.FIRST);
      result.r2 = filter.mightContainHash(Racing.FIRST);
    }

    @Actor
    public void second(ZZZZ_Result result) {
      result.r3 = filter.putHash(Racing.FIRST);
      result.r4 = filter.mightContainHash(Racing.FIRST);
    }
  }

  /**
   * Of two racing puts of one key exactly one returns true while another key is put.
   *
   * <p>The other key shares some of its bits, or rotates the window.
   */
  @JCStressTest
  @Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the first won")
  @Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the second won")
  @Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none")
  @State
  public static class OneWinnerBesideAnotherKey {

    private final HashedMutableFilter<Long> filter = RacingOthers.plainCountingOrWindowed();

    @Actor
    public void first(ZZ_Result result) {
      result.r1 = filter.putHash(Racing.FIRST);
    }

    @Actor
    public void second(ZZ_Result result) {
      boolean unused = filter.putHash(Racing.SECOND);
      result.r2 = filter.putHash(Racing.FIRST);
    }
  }

  /** Two keys that share some of their bits, but not all, are both new, and both are counted. */
  @JCStressTest
  @Outcome(id = "true, true, 2", expect = Expect.ACCEPTABLE, desc = "both new")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a key lost, or not counted")
  @State
  public static class DistinctKeysAreNew {

    private final BloomFilter<Long> filter = Racing.filter();

    @Actor
    public void first(ZZJ_Result result) {
      result.r1 = filter.putHash(Racing.FIRST);
    }

    @Actor
    public void second(ZZJ_Result result) {
      result.r2 = filter.putHash(Racing.SECOND);
    }

    @Arbiter
    public void ask(ZZJ_Result result) {
      result.r3 = filter.acceptedKeys();
    }
  }

  /**
   * Two keys that go into the same words at once are both there afterwards, with an earlier one;
   * also if both find the filter full and make it grow.
   */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "all there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "one overwrote the other, or a stage is lost")
  @State
  public static class NothingLost {

    private final HashedMutableFilter<Long> filter = RacingOthers.plainOrGrowing();

    @Actor
    public void first() {
      boolean unused = filter.putHash(Racing.FIRST);
    }

    @Actor
    public void second() {
      boolean unused = filter.putHash(Racing.SECOND);
    }

    @Arbiter
    public void ask(ZZZ_Result result) {
      result.r1 = filter.mightContainHash(Racing.FIRST);
      result.r2 = filter.mightContainHash(Racing.SECOND);
      result.r3 = filter.mightContainHash(Racing.EARLIER);
    }
  }

  /** A thread that knows that a put has returned finds the key, in a filter of any kind. */
  @JCStressTest
  @Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "a false negative after put")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "seen, or not yet put")
  @State
  public static class SeenOncePut {

    private final HashedMutableFilter<Long> filter = RacingOthers.ofAnyKind();
    private volatile boolean returned;

    @Actor
    public void put() {
      boolean unused = filter.putHash(RacingOthers.MOVING);
      returned = true;
    }

    @Actor
    public void ask(ZZ_Result result) {
      result.r1 = returned;
      result.r2 = filter.mightContainHash(RacingOthers.MOVING);
    }
  }

  /** A thread that finds a key sees what was written before it was put. */
  @JCStressTest
  @Outcome(id = "true, 0", expect = Expect.FORBIDDEN, desc = "the key without what came before")
  @Outcome(expect = Expect.ACCEPTABLE, desc = "both, or not yet")
  @State
  public static class LookupPublishes {

    private final BloomFilter<Long> filter = Racing.filter();
    private int written;

    @Actor
    public void first() {
      written = 1;
      boolean unused = filter.putHash(Racing.FIRST);
    }

    @Actor
    public void second(ZI_Result result) {
      result.r1 = filter.mightContainHash(Racing.FIRST);
      result.r2 = written;
    }
  }

  /** Of two keys that race for the last place one gets it, and the other is refused. */
  @JCStressTest
  @Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the first got it")
  @Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "the second got it")
  @Outcome(expect = Expect.FORBIDDEN, desc = "both in, or none")
  @State
  public static class RefusedWhenFull {

    private final BloomFilter<Long> filter = Racing.forOneKey();

    @Actor
    public void first(ZZJ_Result result) {
      result.r1 = isIn(Racing.FIRST);
    }

    @Actor
    public void second(ZZJ_Result result) {
      result.r2 = isIn(Racing.SECOND);
    }

    private boolean isIn(long hash) {
      try {
        return filter.putHash(hash);
      } catch (FilterFullException e) {
        return false;
      }
    }

    @Arbiter
    public void ask(ZZJ_Result result) {
      result.r3 = filter.acceptedKeys();
    }
  }

  /** A put of a key that is there comes before a clearing, or after it and is new. */
  @JCStressTest
  @Outcome(id = "false, false, 0", expect = Expect.ACCEPTABLE, desc = "put, then cleared")
  @Outcome(id = "true, true, 1", expect = Expect.ACCEPTABLE, desc = "cleared, then put")
  @Outcome(expect = Expect.FORBIDDEN, desc = "half cleared, or counted wrongly")
  @State
  public static class PutBesideClear {

    private final BloomFilter<Long> filter = Racing.filter(Racing.FIRST);

    @Actor
    public void first() {
      filter.clear();
    }

    @Actor
    public void second(ZZJ_Result result) {
      result.r1 = filter.putHash(Racing.FIRST);
    }

    @Arbiter
    public void ask(ZZJ_Result result) {
      result.r2 = filter.mightContainHash(Racing.FIRST);
      result.r3 = filter.acceptedKeys();
    }
  }

  /** A put into the words that a merge writes is new, and neither overwrites the other. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "both there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "one overwrote the other")
  @State
  public static class PutBesideMerge {

    private final BloomFilter<Long> filter = Racing.filter();
    private final BloomFilter<Long> other = Racing.likeWith(filter, Racing.SECOND);

    @Actor
    public void first() {
      filter.putAll(other);
    }

    @Actor
    public void second(ZZZ_Result result) {
      result.r1 = filter.putHash(Racing.FIRST);
    }

    @Arbiter
    public void ask(ZZZ_Result result) {
      result.r2 = filter.mightContainHash(Racing.FIRST);
      result.r3 = filter.mightContainHash(Racing.SECOND);
    }
  }

  /** Eight keys put beside a merge of eight others are all there and all counted. */
  @JCStressTest
  @Outcome(id = "8, 16, 16", expect = Expect.ACCEPTABLE, desc = "all there, all counted")
  @Outcome(
      id = {"8, 16, 15", "8, 16, 17"},
      expect = Expect.ACCEPTABLE,
      desc = "the merge estimated, from some bits of a key, one too few or too many")
  @Outcome(expect = Expect.FORBIDDEN, desc = "keys or their counts were lost")
  @State
  public static class CountBesideMerge {

    private static final int KEYS = 8;

    private final BloomFilter<Long> filter = Racing.roomy();
    private final BloomFilter<Long> other = Racing.likeWith(filter, Racing.hashes(KEYS, KEYS));

    @Actor
    public void first() {
      filter.putAll(other);
    }

    @Actor
    public void second(IIJ_Result result) {
      for (long hash : Racing.hashes(0, KEYS)) {
        result.r1 += filter.putHash(hash) ? 1 : 0;
      }
    }

    @Arbiter
    public void ask(IIJ_Result result) {
      for (long hash : Racing.hashes(0, 2 * KEYS)) {
        result.r2 += filter.mightContainHash(hash) ? 1 : 0;
      }
      result.r3 = filter.acceptedKeys();
    }
  }
}
