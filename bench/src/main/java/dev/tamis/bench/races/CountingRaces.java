package dev.tamis.bench.races;

import dev.tamis.filter.CountingBloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Races of puts and removals in counting filters, whose counters tell what was lost. */
public final class CountingRaces {

  private CountingRaces() {}

  /**
   * Of two racing puts of one key into a counting filter exactly one returns true.
   *
   * <p>That is so when no other key is about. Both are counted.
   */
  @JCStressTest
  @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the first won")
  @Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "the second won")
  @Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none, or a count lost")
  @State
  public static class OneWinner {

    private final CountingBloomFilter<Long> filter = Racing.counting();

    @Actor
    public void first(ZZZ_Result result) {
      result.r1 = filter.putHash(Racing.FIRST);
    }

    @Actor
    public void second(ZZZ_Result result) {
      result.r2 = filter.putHash(Racing.FIRST);
    }

    @Arbiter
    public void counts(ZZZ_Result result) {
      result.r3 = Racing.hasCountsOf(filter, Racing.FIRST, Racing.FIRST);
    }
  }

  /**
   * Of two puts of a key exactly one returns true while another key, with which it shares counters,
   * is removed.
   */
  @JCStressTest
  @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the first won")
  @Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "the second won")
  @Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none, or a count lost")
  @State
  public static class OneWinnerBesideRemoval {

    private final CountingBloomFilter<Long> filter = Racing.counting(Racing.EARLIER);

    @Actor
    public void first(ZZZ_Result result) {
      result.r1 = filter.putHash(Racing.FIRST);
    }

    @Actor
    public void second(ZZZ_Result result) {
      boolean unused = filter.removeHash(Racing.EARLIER);
      result.r2 = filter.putHash(Racing.FIRST);
    }

    @Arbiter
    public void counts(ZZZ_Result result) {
      result.r3 = Racing.hasCountsOf(filter, Racing.FIRST, Racing.FIRST);
    }
  }

  /** Two keys that are counted in the same words at once can both be removed, and leave nothing. */
  @JCStressTest
  @Outcome(id = "true, true, true, true", expect = Expect.ACCEPTABLE, desc = "all counted")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a count lost, or one too many")
  @State
  public static class NothingLost {

    private final CountingBloomFilter<Long> filter = Racing.counting();

    @Actor
    public void first() {
      boolean unused = filter.putHash(Racing.FIRST);
    }

    @Actor
    public void second() {
      boolean unused = filter.putHash(Racing.SECOND);
    }

    @Arbiter
    public void remove(ZZZZ_Result result) {
      result.r1 = Racing.hasCountsOf(filter, Racing.FIRST, Racing.SECOND);
      result.r2 = filter.removeHash(Racing.FIRST);
      result.r3 = filter.removeHash(Racing.SECOND);
      result.r4 = Racing.hasCountsOf(filter);
    }
  }

  /**
   * A key that is removed takes nothing from one that was there before, nor from one that goes in
   * meanwhile.
   */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "both there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a key denied, or a count lost")
  @State
  public static class RemoveBesidePut {

    private final CountingBloomFilter<Long> filter = Racing.counting(Racing.EARLIER, Racing.FIRST);

    @Actor
    public void remove(ZZZ_Result result) {
      boolean unused = filter.removeHash(Racing.FIRST);
      result.r1 = filter.mightContainHash(Racing.EARLIER);
    }

    @Actor
    public void put(ZZZ_Result result) {
      boolean unused = filter.putHash(Racing.SECOND);
      result.r2 = filter.mightContainHash(Racing.SECOND);
    }

    @Arbiter
    public void counts(ZZZ_Result result) {
      result.r3 = Racing.hasCountsOf(filter, Racing.EARLIER, Racing.SECOND);
    }
  }

  /** Two puts of one key can be taken back at once, and leave nothing. */
  @JCStressTest
  @Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "both taken back")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a removal refused, or a count left")
  @State
  public static class RemoveTwice {

    private final CountingBloomFilter<Long> filter = Racing.counting(Racing.FIRST, Racing.FIRST);

    @Actor
    public void first(ZZZ_Result result) {
      result.r1 = filter.removeHash(Racing.FIRST);
    }

    @Actor
    public void second(ZZZ_Result result) {
      result.r2 = filter.removeHash(Racing.FIRST);
    }

    @Arbiter
    public void counts(ZZZ_Result result) {
      result.r3 = Racing.hasCountsOf(filter);
    }
  }
}
