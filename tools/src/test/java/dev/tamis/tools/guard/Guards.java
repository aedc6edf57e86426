package dev.tamis.tools.guard;

import dev.tamis.HashedMutableFilter;
import dev.tamis.StandInServer;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;

/** Guards and keys that several tests need. */
public final class Guards {

  /** Kept, because the log manager would forget the level with the logger. */
  private static final Logger LOG = Logger.getLogger("dev.tamis.tools.guard");

  static {
    LOG.setLevel(Level.OFF); // hundreds of damaged files, each with its warning
  }

  private Guards() {}

  /** Turns the log off, which happens when this class is first used. */
  public static void quiet() {}

  /** Keyed, so that each run has the same false positives. */
  static GuardBuilder<Long> settings() {
    HashKey key = HashKey.of("always this key.".getBytes(StandardCharsets.US_ASCII));
    return StoreGuard.<Long>builder(KeyHasher.longs().keyedBy(key)).expectedKeys(1_000).fpp(0.01);
  }

  static SharedFilter<Long> shared(StandInServer<Long> server) {
    return new SharedFilter<>() {
      @Override
      public HashedMutableFilter<Long> open() {
        return server.open();
      }

      @Override
      public HashedMutableFilter<Long> replace() {
        return server.replace();
      }
    };
  }

  static MapStore filled(long keys) {
    MapStore store = new MapStore();
    LongStream.range(0, keys).forEach(key -> store.rows.put(key, "value " + key));
    return store;
  }

  static StoreGuard<Long, String> ready(GuardBuilder<Long> settings, MapStore store) {
    StoreGuard<Long, String> guard = settings.build(store);
    RebuildSummary unused = guard.rebuild(store::keys);
    store.reads.set(0);
    return guard;
  }

  /** Keys that no test puts. */
  static List<Long> absent(int keys) {
    return LongStream.range(1L << 40, (1L << 40) + keys).boxed().toList();
  }

  /** Whether the guard finds every key of its store, and with the right value. */
  static boolean findsAll(StoreGuard<Long, String> guard, MapStore store) {
    return store.rows.entrySet().stream()
        .allMatch(row -> row.getValue().equals(guard.get(row.getKey())));
  }
}
