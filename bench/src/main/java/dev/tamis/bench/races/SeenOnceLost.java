package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A put that lost the race, and so returned early, has its key in the filter all the same. */
@JCStressTest
@Outcome(id = ".*, true", expect = Expect.ACCEPTABLE, desc = "seen, won or lost")
@Outcome(expect = Expect.FORBIDDEN, desc = "a false negative after put")
@State
public class SeenOnceLost {

  private final BloomFilter<Long> filter = Racing.filter();

  /** Puts the key. */
  @Actor
  public void first() {
    boolean unused = filter.putHash(Racing.FIRST);
  }

  /** Puts the same key, then asks for it. */
  @Actor
  public void second(ZZ_Result result) {
    result.r1 = filter.putHash(Racing.FIRST);
    result.r2 = filter.mightContainHash(Racing.FIRST);
  }
}
