package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** A put into the words that a merge writes is new, and neither overwrites the other. */
@JCStressTest
@Outcome(id = "true, true, true", expect = Expect.ACCEPTABLE, desc = "both there")
@Outcome(expect = Expect.FORBIDDEN, desc = "one overwrote the other")
@State
public class PutBesideMerge {

  private final BloomFilter<Long> filter = Racing.filter();
  private final BloomFilter<Long> other = Racing.likeWith(filter, Racing.SECOND);

  /** Merges a filter that holds another key. */
  @Actor
  public void first() {
    filter.putAll(other);
  }

  /** Puts a key. */
  @Actor
  public void second(ZZZ_Result result) {
    result.r1 = filter.putHash(Racing.FIRST);
  }

  /** Asks for both. */
  @Arbiter
  public void ask(ZZZ_Result result) {
    result.r2 = filter.mightContainHash(Racing.FIRST);
    result.r3 = filter.mightContainHash(Racing.SECOND);
  }
}
