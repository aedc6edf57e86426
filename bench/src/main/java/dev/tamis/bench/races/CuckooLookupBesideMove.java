package dev.tamis.bench.races;

import dev.tamis.filter.CuckooFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** No key is missed while keys move to make room for another, which is removed again. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "all found")
@Outcome(expect = Expect.FORBIDDEN, desc = "a key denied")
@State
public class CuckooLookupBesideMove {

  private final CuckooFilter<Long> filter = RacingOthers.nearlyFull();

  /** Puts a key for which others have to move, and removes it. */
  @Actor
  public void move() {
    boolean unused = filter.putHash(RacingOthers.MOVING);
    boolean unusedToo = filter.removeHash(RacingOthers.MOVING);
  }

  /** Looks up the keys that stay, twice. */
  @Actor
  public void lookUp(ZZ_Result result) {
    result.r1 = RacingOthers.holdsAll(filter);
    result.r2 = RacingOthers.holdsAll(filter);
  }
}
