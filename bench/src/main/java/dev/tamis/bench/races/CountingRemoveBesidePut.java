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
 * A key that is removed takes nothing from one that was there before, nor from one that goes in
 * meanwhile.
 */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "both there")
@Outcome(expect = Expect.FORBIDDEN, desc = "a key denied, or a count lost")
@State
public class CountingRemoveBesidePut {

  private final CountingBloomFilter<Long> filter = Racing.counting(Racing.EARLIER, Racing.FIRST);

  /** Removes a key, then asks for the one that was there before. */
  @Actor
  public void remove(ZZZ_Result result) {
    boolean unused = filter.removeHash(Racing.FIRST);
    result.r1 = filter.mightContainHash(Racing.EARLIER);
  }

  /** Puts another key, then asks for it. */
  @Actor
  public void put(ZZZ_Result result) {
    boolean unused = filter.putHash(Racing.SECOND);
    result.r2 = filter.mightContainHash(Racing.SECOND);
  }

  /** Looks at the counters. */
  @Arbiter
  public void counts(ZZZ_Result result) {
    result.r3 = Racing.hasCountsOf(filter, Racing.EARLIER, Racing.SECOND);
  }
}
