package dev.tamis.bench.races;

import dev.tamis.filter.CountingBloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;

/** Two keys that are counted in the same words at once can both be removed, and leave nothing. */
@JCStressTest
@Outcome(id = "true, true, true, true", expect = Expect.ACCEPTABLE, desc = "all counted")
@Outcome(expect = Expect.FORBIDDEN, desc = "a count lost, or one too many")
@State
public class CountingNothingLost {

  private final CountingBloomFilter<Long> filter = Racing.counting();

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

  /** Looks at the counters, then removes both. */
  @Arbiter
  public void remove(ZZZZ_Result result) {
    result.r1 = Racing.hasCountsOf(filter, Racing.FIRST, Racing.SECOND);
    result.r2 = filter.removeHash(Racing.FIRST);
    result.r3 = filter.removeHash(Racing.SECOND);
    result.r4 = Racing.hasCountsOf(filter);
  }
}
