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
 * Two keys that both find the filter full are there afterwards, with the one that filled it.
 *
 * <p>What the puts return is not looked at: where the two share bits, either may count as a false
 * positive.
 */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "all there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a key lost, or a stage with its keys")
@State
public class GrowingNothingLost {

  private final ScalableBloomFilter<Long> filter = Racing.growing();

  /** Puts a key. */
  @Actor
  public void first() {
    boolean unused = filter.putHash(Racing.FIRST);
  }

  /** Puts another key. */
  @Actor
  public void second() {
    boolean unused = filter.putHash(Racing.SECOND);
  }

  /** Asks for all three. */
  @Arbiter
  public void ask(ZZZ_Result result) {
    result.r1 = filter.mightContainHash(Racing.FIRST);
    result.r2 = filter.mightContainHash(Racing.SECOND);
    result.r3 = filter.mightContainHash(Racing.EARLIER);
  }
}
