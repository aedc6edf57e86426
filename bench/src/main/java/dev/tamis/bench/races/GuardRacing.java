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

/** What the races of guards have in common. */
final class GuardRacing {

  static final Long KEY = 1L;
  static final Long EARLIER = 2L;

  /** Kept, because the log manager would forget the level with the logger. */
  private static final Logger LOG = Logger.getLogger("dev.tamis.tools.guard");

  static {
    LOG.setLevel(Level.OFF); // a line for each of millions of rebuilds
  }

  private GuardRacing() {}

  /** Returns a guard that is ready, before a store with {@link #EARLIER} in it. */
  static StoreGuard<Long, Long> guard(Rows rows, boolean removable) {
    GuardBuilder<Long> settings =
        StoreGuard.<Long>builder(KeyHasher.longs()).expectedKeys(4).fpp(0.5).staleAbove(1);
    StoreGuard<Long, Long> guard = (removable ? settings.removable() : settings).build(rows);
    rebuild(guard, rows);
    boolean unused = guard.put(EARLIER, EARLIER);
    return guard;
  }

  static void rebuild(StoreGuard<Long, Long> guard, Rows rows) {
    RebuildSummary unused = guard.rebuild(() -> rows.map.keySet().stream());
  }

  /** A store in memory. */
  static final class Rows implements Store<Long, Long> {

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
}
