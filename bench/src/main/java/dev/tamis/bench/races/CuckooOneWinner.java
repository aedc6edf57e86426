package dev.tamis.bench.races;

import dev.tamis.filter.CuckooFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Of two racing puts of a key into a cuckoo filter exactly one returns true; both are counted. */
@JCStressTest
@Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the first won")
@Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "the second won")
@Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none, or a copy lost")
@State
public class CuckooOneWinner {

  private final CuckooFilter<Long> filter = RacingOthers.nearlyFull();

  /** Puts the key. */
  @Actor
  public void first(ZZZ_Result result) {
    result.r1 = filter.putHash(RacingOthers.MOVING);
  }

  /** Puts the same key. */
  @Actor
  public void second(ZZZ_Result result) {
    result.r2 = filter.putHash(RacingOthers.MOVING);
  }

  /** Counts the copies. */
  @Arbiter
  public void copies(ZZZ_Result result) {
    result.r3 =
        filter.approximateCountHash(RacingOthers.MOVING) == 2 && RacingOthers.holdsAll(filter);
  }
}
