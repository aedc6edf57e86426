package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZI_Result;

/** Who finds a key sees what was written before it was put. */
@JCStressTest
@Outcome(id = "true, 0", expect = Expect.FORBIDDEN, desc = "the key without what came before")
@Outcome(expect = Expect.ACCEPTABLE, desc = "both, or not yet")
@State
public class LookupPublishes {

  private final BloomFilter<Long> filter = Racing.filter();
  private int written;

  /** Writes, then puts the key. */
  @Actor
  public void first() {
    written = 1;
    boolean unused = filter.putHash(Racing.FIRST);
  }

  /** Asks for the key, then reads. */
  @Actor
  public void second(ZI_Result result) {
    result.r1 = filter.mightContainHash(Racing.FIRST);
    result.r2 = written;
  }
}
