package dev.tamis.bench.races;

import dev.tamis.FilterFullException;
import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** Of two keys that race for the last place one gets it, and the other is refused. */
@JCStressTest
@Outcome(id = "true, false, 1", expect = Expect.ACCEPTABLE, desc = "the first got it")
@Outcome(id = "false, true, 1", expect = Expect.ACCEPTABLE, desc = "the second got it")
@Outcome(expect = Expect.FORBIDDEN, desc = "both in, or none")
@State
public class RefusedWhenFull {

  private final BloomFilter<Long> filter = Racing.forOneKey();

  /** Puts a key. */
  @Actor
  public void first(ZZJ_Result result) {
    result.r1 = isIn(Racing.FIRST);
  }

  /** Puts another key. */
  @Actor
  public void second(ZZJ_Result result) {
    result.r2 = isIn(Racing.SECOND);
  }

  private boolean isIn(long hash) {
    try {
      return filter.putHash(hash);
    } catch (FilterFullException e) {
      return false;
    }
  }

  /** Asks how many are in. */
  @Arbiter
  public void ask(ZZJ_Result result) {
    result.r3 = filter.acceptedKeys();
  }
}
