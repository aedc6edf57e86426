package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Two keys that share some of their bits, but not all, are both new, and both are counted. */
@JCStressTest
@Outcome(id = "true, true, 2", expect = Expect.ACCEPTABLE, desc = "both new")
@Outcome(expect = Expect.FORBIDDEN, desc = "a key lost, or not counted")
@State
public class DistinctKeysAreNew {

  private final BloomFilter<Long> filter = Racing.filter();

  /** Puts a key. */
  @Actor
  public void first(ZZJ_Result result) {
    result.r1 = filter.putHash(Racing.FIRST);
  }

  /** Puts another key. */
  @Actor
  public void second(ZZJ_Result result) {
    result.r2 = filter.putHash(Racing.SECOND);
  }

  /** Asks how many were new. */
  @Arbiter
  public void ask(ZZJ_Result result) {
    result.r3 = filter.acceptedKeys();
  }
}
