package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Whoever knows that a put has returned finds the key. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "a false negative after put")
@Outcome(expect = Expect.ACCEPTABLE, desc = "seen, or not yet put")
@State
public class SeenOncePut {

  private final BloomFilter<Long> filter = Racing.filter();
  private volatile boolean returned;

  /** Puts the key and says so. */
  @Actor
  public void put() {
    boolean unused = filter.putHash(Racing.FIRST);
    returned = true;
  }

  /** Asks for the key. */
  @Actor
  public void ask(ZZ_Result result) {
    result.r1 = returned;
    result.r2 = filter.mightContainHash(Racing.FIRST);
  }
}
