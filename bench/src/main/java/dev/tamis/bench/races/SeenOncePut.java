package dev.tamis.bench.races;

import dev.tamis.HashedMutableFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A thread that knows that a put has returned finds the key, in a filter of any kind. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "a false negative after put")
@Outcome(expect = Expect.ACCEPTABLE, desc = "seen, or not yet put")
@State
public class SeenOncePut {

  private final HashedMutableFilter<Long> filter = RacingOthers.ofAnyKind();
  private volatile boolean returned;

  /** Puts the key and says so. */
  @Actor
  public void put() {
    boolean unused = filter.putHash(RacingOthers.MOVING);
    returned = true;
  }

  /** Asks for the key. */
  @Actor
  public void ask(ZZ_Result result) {
    result.r1 = returned;
    result.r2 = filter.mightContainHash(RacingOthers.MOVING);
  }
}
