package dev.tamis.bench.races;

import dev.tamis.filter.CountingBloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Two puts of one key can be taken back at once, and leave nothing. */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "both taken back")
@Outcome(expect = Expect.FORBIDDEN, desc = "a removal refused, or a count left")
@State
public class CountingRemoveTwice {

  private final CountingBloomFilter<Long> filter = Racing.counting(Racing.FIRST, Racing.FIRST);

  /** Removes the key. */
  @Actor
  public void first(ZZZ_Result result) {
    result.r1 = filter.removeHash(Racing.FIRST);
  }

  /** Removes the key once more. */
  @Actor
  public void second(ZZZ_Result result) {
    result.r2 = filter.removeHash(Racing.FIRST);
  }

  /** Looks at the counters. */
  @Arbiter
  public void counts(ZZZ_Result result) {
    result.r3 = Racing.hasCountsOf(filter);
  }
}
