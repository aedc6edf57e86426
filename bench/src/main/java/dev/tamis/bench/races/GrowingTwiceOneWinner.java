package dev.tamis.bench.races;

import dev.tamis.filter.ScalableBloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

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
public class GrowingTwiceOneWinner {

  private static final long THIRD = 0x0F1E_2D3C_4B5A_6978L;

  private final ScalableBloomFilter<Long> filter = Racing.growing();

  /** Puts the key. */
  @Actor
  public void first(ZZZ_Result result) {
    result.r1 = filter.putHash(Racing.FIRST);
  }

  /** Puts two others, which fill the second stage, then the same one. */
  @Actor
  public void second(ZZZ_Result result) {
    boolean unused = filter.putHash(Racing.SECOND);
    unused = filter.putHash(THIRD);
    result.r2 = filter.putHash(Racing.FIRST);
  }

  /** Asks for all of them. */
  @Arbiter
  public void ask(ZZZ_Result result) {
    result.r3 =
        filter.mightContainHash(Racing.EARLIER)
            && filter.mightContainHash(Racing.FIRST)
            && filter.mightContainHash(Racing.SECOND)
            && filter.mightContainHash(THIRD);
  }
}
