package dev.tamis.bench.races;

import dev.tamis.filter.CountingBloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Of two racing puts of a key into a counting filter at most one returns true, beside another key.
 *
 * <p>That key shares counters with the one that is put twice.
 */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.FORBIDDEN, desc = "two winners")
@Outcome(id = "false, false", expect = Expect.ACCEPTABLE, desc = "a false positive")
@Outcome(expect = Expect.ACCEPTABLE, desc = "one winner")
@State
public class CountingAtMostOneWinner {

  private final CountingBloomFilter<Long> filter = Racing.counting();

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
