package dev.tamis.bench.races;

import dev.tamis.filter.WindowedBloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A key of the window is found while puts rotate it, before and after its own put. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "found")
@Outcome(expect = Expect.FORBIDDEN, desc = "a key of the window denied")
@State
public class WindowedLookupBesideRotation {

  private final WindowedBloomFilter<Long> filter = RacingOthers.rotating();

  /** Rotates twice, with the key put again in between, so that it is within the window always. */
  @Actor
  public void rotate() {
    for (int i = 0; i < 3; i++) {
      boolean unused = filter.putHash(Racing.FIRST);
      boolean unusedToo = filter.putHash(Racing.EARLIER);
    }
  }

  /** Looks the key up. */
  @Actor
  public void lookUp(ZZ_Result result) {
    result.r1 = filter.mightContainHash(Racing.EARLIER);
    result.r2 = filter.mightContainHash(Racing.EARLIER);
  }
}
