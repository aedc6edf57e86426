package dev.tamis.bench.races;

import dev.tamis.HashedMutableFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

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
public class OneWinnerBesideAnotherKey {

  private final HashedMutableFilter<Long> filter = RacingOthers.plainCountingOrWindowed();

  /** Puts the key. */
  @Actor
  public void first(ZZ_Result result) {
    result.r1 = filter.putHash(Racing.FIRST);
  }

  /** Puts another key, then the same one. */
  @Actor
  public void second(ZZ_Result result) {
    boolean unused = filter.putHash(Racing.SECOND);
    result.r2 = filter.putHash(Racing.FIRST);
  }
}
