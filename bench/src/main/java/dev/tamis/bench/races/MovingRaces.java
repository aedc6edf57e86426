package dev.tamis.bench.races;

import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races while a filter grows, rotates or moves its keys. */
public final class MovingRaces {

  private MovingRaces() {}

  /**
   * Of two racing puts of one key exactly one returns true while other keys make the filter grow.
   *
   * <p>It grows twice, and nothing is lost.
   */
  @JCStressTest
  @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the first won")
  @Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "the second won")
  @Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none, or a key lost")
  @State
  public static class GrowingTwiceOneWinner {

    private static final long THIRD = 0x0F1E_2D3C_4B5A_6978L;

    private final ScalableBloomFilter<Long> filter = Racing.growing();

    @Actor
    public void first(ZZZ_Result result) {
      result.r1 = filter.putHash(Racing.FIRST);
    }

    @Actor
    public void second(ZZZ_Result result) {
      boolean unused = filter.putHash(Racing.SECOND);
      unused = filter.putHash(THIRD);
      result.r2 = filter.putHash(Racing.FIRST);
    }

    @Arbiter
    public void ask(ZZZ_Result result) {
      result.r3 =
          filter.mightContainHash(Racing.EARLIER)
              && filter.mightContainHash(Racing.FIRST)
              && filter.mightContainHash(Racing.SECOND)
              && filter.mightContainHash(THIRD);
    }
  }

  /** A key of the window is found while puts rotate it, before and after its own put. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "found")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a key of the window denied")
  @State
  public static class WindowedLookupBesideRotation {

    private final WindowedBloomFilter<Long> filter = RacingOthers.rotating();

    @Actor
    public void rotate() {
      for (int i = 0; i < 3; i++) {
        boolean unused = filter.putHash(Racing.FIRST);
        boolean unusedToo = filter.putHash(Racing.EARLIER);
      }
    }

    @Actor
    public void lookUp(ZZ_Result result) {
      result.r1 = filter.mightContainHash(Racing.EARLIER);
      result.r2 = filter.mightContainHash(Racing.EARLIER);
    }
  }

  /**
   * Of two racing puts of a key into a cuckoo filter exactly one returns true; both are counted.
   */
  @JCStressTest
  @Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the first won")
  @Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "the second won")
  @Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none, or a copy lost")
  @State
  public static class CuckooOneWinner {

    private final CuckooFilter<Long> filter = RacingOthers.nearlyFull();

    @Actor
    public void first(ZZZ_Result result) {
      result.r1 = filter.putHash(RacingOthers.MOVING);
    }

    @Actor
    public void second(ZZZ_Result result) {
      result.r2 = filter.putHash(RacingOthers.MOVING);
    }

    @Arbiter
    public void copies(ZZZ_Result result) {
      result.r3 =
          filter.approximateCountHash(RacingOthers.MOVING) == 2 && RacingOthers.holdsAll(filter);
    }
  }

  /** No key is missed while keys move to make room for another, which is removed again. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "all found")
  @Outcome(expect = Expect.FORBIDDEN, desc = "a key denied")
  @State
  public static class CuckooLookupBesideMove {

    private final CuckooFilter<Long> filter = RacingOthers.nearlyFull();

    @Actor
    public void move() {
      boolean unused = filter.putHash(RacingOthers.MOVING);
      boolean unusedToo = filter.removeHash(RacingOthers.MOVING);
    }

    @Actor
    public void lookUp(ZZ_Result result) {
      result.r1 = RacingOthers.holdsAll(filter);
      result.r2 = RacingOthers.holdsAll(filter);
    }
  }
}
