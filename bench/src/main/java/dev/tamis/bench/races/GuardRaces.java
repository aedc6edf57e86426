package dev.tamis.bench.races;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.GuardBuilder;
import dev.tamis.tools.guard.RebuildSummary;
import dev.tamis.tools.guard.Store;
import dev.tamis.tools.guard.StoreGuard;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Races of writers beside a rebuild of their guard. */
public final class GuardRaces {

  private static final Long KEY = 1L;
  private static final Long EARLIER = 2L;

  /** Kept, because the log manager would forget the level with the logger. */
  private static final Logger LOG = Logger.getLogger("dev.tamis.tools.guard");

  static {
    LOG.setLevel(Level.OFF); // a line for each of millions of rebuilds
  }

  private GuardRaces() {}

  /** Returns a guard that is ready, before a store with {@link #EARLIER} in it. */
  private static StoreGuard<Long, Long> guard(Rows rows, boolean removable) {
    GuardBuilder<Long> settings =
        StoreGuard.<Long>builder(KeyHasher.longs()).expectedKeys(4).fpp(0.5).staleAbove(1);
    StoreGuard<Long, Long> guard = (removable ? settings.removable() : settings).build(rows);
    rebuild(rows, guard);
    boolean unused = guard.put(EARLIER, EARLIER);
    return guard;
  }

  private static void rebuild(Rows rows, StoreGuard<Long, Long> guard) {
    RebuildSummary unused = guard.rebuild(() -> rows.map.keySet().stream());
  }

  /** A store in memory. */
  private static final class Rows implements Store<Long, Long> {

    private final ConcurrentMap<Long, Long> map = new ConcurrentHashMap<>();

    @Override
    public @Nullable Long get(Long key) {
      return map.get(key);
    }

    @Override
    public boolean put(Long key, Long value) {
      return map.put(key, value) == null;
    }

    @Override
    public boolean remove(Long key) {
      return map.remove(key) != null;
    }
  }

  /** A key that is put while its guard is rebuilt is there once put has returned, and stays. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "there")
  @Outcome(expect = Expect.FORBIDDEN, desc = "wrongly absent")
  @State
  public static class PutBesideRebuild {

    private final Rows rows = new Rows();
    private final StoreGuard<Long, Long> guard = guard(rows, false);

    @Actor
    public void put(ZZ_Result result) {
      boolean unused = guard.put(KEY, KEY);
      result.r1 = guard.get(KEY) != null;
    }

    @Actor
    public void rebuildMeanwhile() {
      rebuild(rows, guard);
    }

    @Arbiter
    public void ask(ZZ_Result result) {
      result.r2 = guard.get(KEY) != null && guard.get(EARLIER) != null;
    }
  }

  /** However puts and removes of a key are mixed, guard and store agree about every key. */
  @JCStressTest
  @Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "guard and store agree")
  @Outcome(expect = Expect.FORBIDDEN, desc = "wrongly absent")
  @State
  public static class RemoveBesidePut {

    private final Rows rows = new Rows();
    private final StoreGuard<Long, Long> guard = guard(rows, true);

    @Actor
    public void put() {
      boolean unusedFirst = guard.put(KEY, KEY);
      boolean unusedSecond = guard.put(KEY, KEY);
    }

    @Actor
    public void remove() {
      boolean unused = guard.remove(KEY);
    }

    @Actor
    public void rebuildMeanwhile() {
      rebuild(rows, guard);
    }

    @Arbiter
    public void compare(ZZ_Result result) {
      result.r1 = (guard.get(KEY) != null) == (rows.get(KEY) != null);
      result.r2 = guard.get(EARLIER) != null;
    }
  }
}
