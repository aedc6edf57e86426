package dev.tamis.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.CacheLoader;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.GetStats;
import dev.tamis.tools.guard.ReadGuard;
import dev.tamis.tools.guard.RebuildSummary;
import dev.tamis.tools.guard.StoreGuard;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway") // Caffeine lets a loader return null for "absent", and it cannot tell
class CaffeineGuardTest {

  private static final Map<String, String> TABLE = Map.of("ann", "Ann", "bob", "Bob");

  // region loader
  record Guarded<K, V>(ReadGuard<K, V> guard) implements CacheLoader<K, V> {
    @Override
    public V load(K key) {
      return guard.get(key);
    }

    @Override
    public Map<K, V> loadAll(Set<? extends K> keys) {
      return guard.getAll(keys);
    }
  }

  // end loader

  @Test
  void aCacheLoadsThroughTheGuardOneByOneAndManyAtOnce() {
    ReadGuard<String, String> users =
        StoreGuard.<String>builder(KeyHasher.text())
            .expectedKeys(1_000)
            .fpp(1e-6)
            .buildReading(TABLE::get);
    RebuildSummary unused = users.rebuild(() -> TABLE.keySet().stream());
    LoadingCache<String, String> cache =
        Caffeine.newBuilder().maximumSize(100).build(new Guarded<>(users));
    assertThat(cache.get("ann")).isEqualTo("Ann");
    assertThat(cache.get("ann")).isEqualTo("Ann");
    assertThat(cache.get("cid")).isNull();
    assertThat(cache.getAll(List.of("ann", "bob", "dan"))).isEqualTo(TABLE);
    assertThat(users.gets()).isEqualTo(new GetStats(2, 2, 0, 0, 0));
  }
}
