package dev.tamis.bench.races;

import dev.tamis.HashedMutableFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;

/**
 * Of two racing puts of one key exactly one returns true, and both threads find it afterwards.
 *
 * <p>There is no other key; also while the filter grows.
 */
@JCStressTest
@Outcome(id = "true, true, false, true", expect = Expect.ACCEPTABLE, desc = "the first won")
@Outcome(id = "false, true, true, true", expect = Expect.ACCEPTABLE, desc = "the second won")
@Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none, or a key denied")
@State
public class OneWinner {

  private final HashedMutableFilter<Long> filter = RacingOthers.plainOrGrowing();

  /** Puts the key, then asks for it. */
  @Actor
  public void first(ZZZZ_Result result) {
    result.r1 = filter.putHash(Racing.FIRST);
    result.r2 = filter.mightContainHash(Racing.FIRST);
  }

  /** Puts the same key, then asks for it. */
  @Actor
  public void second(ZZZZ_Result result) {
    result.r3 = filter.putHash(Racing.FIRST);
    result.r4 = filter.mightContainHash(Racing.FIRST);
  }
}
