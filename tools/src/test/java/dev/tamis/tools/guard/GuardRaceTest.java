package dev.tamis.tools.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Race;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Threads that put, remove and get during continuous rebuilds. */
@Timeout(600)
class GuardRaceTest {

  private static final int WRITERS = 3;

  /** Keys that one thread alone writes, so that it knows what a get must say. */
  private static final int OWN_KEYS = 300;

  /** Keys that all threads write. */
  private static final int SHARED_KEYS = 20;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noKeyIsWronglyAbsentBesideRebuilds(boolean removable) {
    race(removable, 20_000, 1);
  }

  @Test
  @Tag("thorough")
  void noKeyIsWronglyAbsentInALongRun() {
    for (int seed = 2; seed < 12; seed++) {
      race(true, 300_000, seed);
      race(false, 300_000, seed);
    }
  }

  private static void race(boolean removable, int steps, long seed) {
    MapStore store = new MapStore();
    // a high fpp makes keys share places, so that a count taken wrongly is noticed
    GuardBuilder<Long> settings = Guards.settings().expectedKeys(600).fpp(0.2).staleAbove(1);
    StoreGuard<Long, String> guard =
        Guards.ready(removable ? settings.removable() : settings, store);
    LongAdder wrong = new LongAdder();
    AtomicInteger writing = new AtomicInteger(WRITERS);
    AtomicInteger rebuilds = new AtomicInteger();
    Race.run(
        WRITERS + 1,
        thread -> {
          if (thread < WRITERS) {
            new Writer(guard, thread, new SplittableRandom(seed + thread), wrong).run(steps);
            writing.decrementAndGet();
          }
          while (thread == WRITERS && writing.get() > 0) {
            RebuildSummary unused = guard.rebuild(store::keys);
            rebuilds.incrementAndGet();
          }
        });
    assertThat(rebuilds).hasPositiveValue();
    assertThat(wrong.sum()).isZero();
    assertThat(guard.gets().skipped()).isPositive();
    assertThat(Guards.findsAll(guard, store)).isTrue();
  }

  /** One thread, and what it knows of its own keys. */
  private record Writer(
      StoreGuard<Long, String> guard, int number, SplittableRandom random, LongAdder wrong) {

    void run(int steps) {
      boolean[] there = new boolean[OWN_KEYS];
      for (int step = 0; step < steps; step++) {
        if (random.nextInt(4) == 0) {
          long shared = random.nextInt(SHARED_KEYS);
          boolean unused =
              random.nextBoolean() ? guard.put(shared, "shared") : guard.remove(shared);
        }
        int own = random.nextInt(OWN_KEYS);
        long key = (number + 1) * 1_000_000L + own;
        switch (random.nextInt(3)) {
          case 0 -> {
            check(guard.put(key, "own") != there[own]);
            there[own] = true;
          }
          case 1 -> {
            check(guard.remove(key) == there[own]);
            there[own] = false;
          }
          default -> {}
        }
        check((guard.get(key) != null) == there[own]);
      }
    }

    private void check(boolean right) {
      if (!right) {
        wrong.increment();
      }
    }
  }
}
