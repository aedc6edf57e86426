package dev.tamis.bench.races;

import dev.tamis.filter.CuckooFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Who learns that a put into a cuckoo filter has returned finds its key. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "put, and denied")
@Outcome(expect = Expect.ACCEPTABLE, desc = "not put yet, or found")
@State
public class CuckooSeenOncePut {

  private final CuckooFilter<Long> filter = RacingOthers.nearlyFull();
  private volatile boolean put;

  /** Puts the key and says so. */
  @Actor
  public void put() {
    boolean unused = filter.putHash(RacingOthers.MOVING);
    put = true;
  }

  /** Looks the key up. */
  @Actor
  public void lookUp(ZZ_Result result) {
    result.r1 = put;
    result.r2 = filter.mightContainHash(RacingOthers.MOVING);
  }
}
