package dev.tamis.bench.races;

import dev.tamis.tools.guard.StoreGuard;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** However puts and removes of a key are mixed, the guard says of every key what the store says. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "guard and store agree")
@Outcome(expect = Expect.FORBIDDEN, desc = "wrongly absent")
@State
public class GuardRemoveBesidePut {

  private final GuardRacing.Rows rows = new GuardRacing.Rows();
  private final StoreGuard<Long, Long> guard = GuardRacing.guard(rows, true);

  /** Puts a key twice, so that one of them replaces, or both are new. */
  @Actor
  public void put() {
    boolean unusedFirst = guard.put(GuardRacing.KEY, GuardRacing.KEY);
    boolean unusedSecond = guard.put(GuardRacing.KEY, GuardRacing.KEY);
  }

  /** Removes the key. */
  @Actor
  public void remove() {
    boolean unused = guard.remove(GuardRacing.KEY);
  }

  /** Makes another filter of what the store has. */
  @Actor
  public void rebuild() {
    GuardRacing.rebuild(guard, rows);
  }

  /** Compares guard and store. */
  @Arbiter
  public void compare(ZZ_Result result) {
    result.r1 = (guard.get(GuardRacing.KEY) != null) == (rows.get(GuardRacing.KEY) != null);
    result.r2 = guard.get(GuardRacing.EARLIER) != null;
  }
}
