package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZJ_Result;

/** A put of a key that is there comes before a clearing, or after it and is new. */
@JCStressTest
@Outcome(id = "false, false, 0", expect = Expect.ACCEPTABLE, desc = "put, then cleared")
@Outcome(id = "true, true, 1", expect = Expect.ACCEPTABLE, desc = "cleared, then put")
@Outcome(expect = Expect.FORBIDDEN, desc = "half cleared, or counted wrongly")
@State
public class PutBesideClear {

  private final BloomFilter<Long> filter = Racing.filter(Racing.FIRST);

  /** Clears. */
  @Actor
  public void first() {
    filter.clear();
  }

  /** Puts the key again. */
  @Actor
  public void second(ZZJ_Result result) {
    result.r1 = filter.putHash(Racing.FIRST);
  }

  /** Asks for the key and the count. */
  @Arbiter
  public void ask(ZZJ_Result result) {
    result.r2 = filter.mightContainHash(Racing.FIRST);
    result.r3 = filter.acceptedKeys();
  }
}
