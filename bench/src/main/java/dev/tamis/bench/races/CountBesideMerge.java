package dev.tamis.bench.races;

import dev.tamis.filter.BloomFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIJ_Result;

/** Eight keys put beside a merge of eight others are all there and all counted. */
@JCStressTest
@Outcome(id = "8, 16, 16", expect = Expect.ACCEPTABLE, desc = "all there, all counted")
@Outcome(
    id = {"8, 16, 15", "8, 16, 17"},
    expect = Expect.ACCEPTABLE,
    desc = "the merge estimated, from some bits of a key, one too few or too many")
@Outcome(expect = Expect.FORBIDDEN, desc = "keys or their counts were lost")
@State
public class CountBesideMerge {

  private static final int KEYS = 8;

  private final BloomFilter<Long> filter = Racing.roomy();
  private final BloomFilter<Long> other = Racing.likeWith(filter, Racing.hashes(KEYS, KEYS));

  /** Merges a filter that holds other keys. */
  @Actor
  public void first() {
    filter.putAll(other);
  }

  /** Puts keys, and counts those that are new. */
  @Actor
  public void second(IIJ_Result result) {
    for (long hash : Racing.hashes(0, KEYS)) {
      result.r1 += filter.putHash(hash) ? 1 : 0;
    }
  }

  /** Asks for all keys, and for their count. */
  @Arbiter
  public void ask(IIJ_Result result) {
    for (long hash : Racing.hashes(0, 2 * KEYS)) {
      result.r2 += filter.mightContainHash(hash) ? 1 : 0;
    }
    result.r3 = filter.acceptedKeys();
  }
}
