package dev.tamis.bench.races;

import dev.tamis.filter.CountingBloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/**
 * Of two puts of a key exactly one returns true while another key, with which it shares counters,
 * is removed.
 */
@JCStressTest
@Outcome(id = "true, false, true", expect = Expect.ACCEPTABLE, desc = "the first won")
@Outcome(id = "false, true, true", expect = Expect.ACCEPTABLE, desc = "the second won")
@Outcome(expect = Expect.FORBIDDEN, desc = "two winners, or none, or a count lost")
@State
public class CountingOneWinnerBesideRemoval {

  private final CountingBloomFilter<Long> filter = Racing.counting(Racing.EARLIER);

  /** Puts the key. */
  @Actor
  public void first(ZZZ_Result result) {
    result.r1 = filter.putHash(Racing.FIRST);
  }

  /** Removes the other key, then puts the same. */
  @Actor
  public void second(ZZZ_Result result) {
    boolean unused = filter.removeHash(Racing.EARLIER);
    result.r2 = filter.putHash(Racing.FIRST);
  }

  /** Looks at the counters. */
  @Arbiter
  public void counts(ZZZ_Result result) {
    result.r3 = Racing.hasCountsOf(filter, Racing.FIRST, Racing.FIRST);
  }
}
