package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two keys that go into the same words at once are both there afterwards. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both there")
@Outcome(expect = Expect.FORBIDDEN, desc = "one overwrote the other")
@State
public class NothingLost {

  private final BloomFilter<Long> filter = Racing.filter();

  /** Puts a key. */
  @Actor
  public void first() {
    boolean unused = filter.putHash(Racing.FIRST);
  }

  /** Puts another key. */
  @Actor
  public void second() {
    boolean unused = filter.putHash(Racing.SECOND);
  }

  /** Asks for both. */
  @Arbiter
  public void ask(ZZ_Result result) {
    result.r1 = filter.mightContainHash(Racing.FIRST);
    result.r2 = filter.mightContainHash(Racing.SECOND);
  }
}
