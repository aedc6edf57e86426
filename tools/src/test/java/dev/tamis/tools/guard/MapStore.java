package dev.tamis.tools.guard;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A store in memory that counts its reads, and fails when told to. */
final class MapStore implements Store<Long, String> {

  final ConcurrentMap<Long, String> rows = new ConcurrentHashMap<>();
  final AtomicInteger reads = new AtomicInteger();
  final AtomicInteger syncs = new AtomicInteger();
  volatile @Nullable RuntimeException failure;
  volatile Runnable beforeEachCall = () -> {};
  volatile Runnable onSync = () -> {};

  @Override
  public @Nullable String get(Long key) {
    step();
    reads.incrementAndGet();
    return rows.get(key);
  }

  @Override
  public boolean put(Long key, String value) {
    step();
    return rows.put(key, value) == null;
  }

  @Override
  public boolean remove(Long key) {
    step();
    return rows.remove(key) != null;
  }

  @Override
  public void sync() {
    syncs.incrementAndGet();
    onSync.run();
  }

  Stream<Long> keys() {
    return rows.keySet().stream();
  }

  private void step() {
    beforeEachCall.run();
    RuntimeException thrown = failure;
    if (thrown != null) {
      throw thrown;
    }
  }
}
