package dev.tamis.bench.races;

import dev.tamis.tools.guard.StoreGuard;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A key that is put while its guard is rebuilt is there once put has returned, and stays. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "there")
@Outcome(expect = Expect.FORBIDDEN, desc = "wrongly absent")
@State
public class GuardPutBesideRebuild {

  private final GuardRacing.Rows rows = new GuardRacing.Rows();
  private final StoreGuard<Long, Long> guard = GuardRacing.guard(rows, false);

  /** Puts a key, then asks for it. */
  @Actor
  public void put(ZZ_Result result) {
    boolean unused = guard.put(GuardRacing.KEY, GuardRacing.KEY);
    result.r1 = guard.get(GuardRacing.KEY) != null;
  }

  /** Makes another filter of what the store has. */
  @Actor
  public void rebuild() {
    GuardRacing.rebuild(guard, rows);
  }

  /** Asks for the key. */
  @Arbiter
  public void ask(ZZ_Result result) {
    result.r2 = guard.get(GuardRacing.KEY) != null && guard.get(GuardRacing.EARLIER) != null;
  }
}
