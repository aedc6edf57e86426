package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Of two racing puts of one key at most one returns true, while another key that shares bits with
 * it goes in. That key may flip the deciding bit; then the two count as false positives.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "two winners")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "a false positive")
@Outcome(expect = Expect.ACCEPTABLE, desc = "one winner")
@State
public class AtMostOneWinner {

  private final BloomFilter<Long> filter = Racing.filter();

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
