package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Who learns that a put has returned finds the key. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.FORBIDDEN, desc = "a key denied after its put")
@Outcome(expect = Expect.ACCEPTABLE, desc = "found, or not known to be put")
@State
public class PutThenLookup {

  private final BloomFilter<Long> filter = Racing.filter();
  private volatile boolean isPut;

  /** Puts the key and says so. */
  @Actor
  public void first() {
    boolean unused = filter.putHash(Racing.FIRST);
    isPut = true;
  }

  /** Asks for the key. */
  @Actor
  public void second(ZZ_Result result) {
    result.r1 = isPut;
    result.r2 = filter.mightContainHash(Racing.FIRST);
  }
}
