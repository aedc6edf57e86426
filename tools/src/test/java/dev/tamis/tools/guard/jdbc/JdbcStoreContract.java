package dev.tamis.tools.guard.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.Guards;
import dev.tamis.tools.guard.RebuildSummary;
import dev.tamis.tools.guard.StoreGuard;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a table as a store does, on whatever database. */
abstract class JdbcStoreContract {

  /** Returns an empty database. */
  protected abstract DataSource dataSource() throws Exception;

  /** Returns what makes commits last, if anything has to. */
  protected abstract String sync();

  private DataSource dataSource;

  @BeforeEach
  void createTable() throws Exception {
    Guards.quiet();
    dataSource = dataSource();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS page");
      statement.execute("CREATE TABLE page (url VARCHAR(200) PRIMARY KEY, body VARCHAR(50))");
    }
  }

  @Test
  void rowsArePutReadAndRemovedAndTheAnswersSayWhatWasDone() {
    JdbcStore<String, String> store = store();
    assertThat(store.get("a")).isNull();
    assertThat(store.put("a", "one")).isTrue();
    assertThat(store.put("a", "two")).isFalse();
    assertThat(store.put("b'; DROP TABLE page; --", "three")).isTrue();
    assertThat(store.get("a")).isEqualTo("two");
    assertThat(store.getAll(List.of("a", "b'; DROP TABLE page; --", "c")))
        .isEqualTo(Map.of("a", "two", "b'; DROP TABLE page; --", "three"));
    assertThat(store.remove("a")).isTrue();
    assertThat(store.remove("a")).isFalse();
    assertThat(store.get("a")).isNull();
    store.sync();
  }

  @Test
  void allKeysAreStreamedAndTheConnectionGoesBackAsItWas() throws SQLException {
    JdbcStore<String, String> store = store();
    for (int i = 0; i < 100; i++) {
      boolean unused = store.put("page " + i, "text");
    }
    for (int round = 0; round < 50; round++) { // more streams than a database has connections
      try (Stream<String> keys = store.keys()) {
        assertThat(keys.limit(round + 1).collect(Collectors.toSet())).hasSize(round + 1);
      }
    }
    try (Stream<String> keys = store.keys()) {
      assertThat(keys).hasSize(100);
    }
    try (Connection connection = dataSource.getConnection()) {
      assertThat(connection.getAutoCommit()).isTrue();
    }
  }

  @Test
  void whatTheDatabaseRefusesNamesTheStatement() {
    JdbcStore<String, String> store = store();
    assertThatThrownBy(() -> store.put("a", "x".repeat(51)))
        .isInstanceOf(StoreException.class)
        .hasMessageMatching(".*refused \"(INSERT INTO|UPDATE) page.*too long[\\s\\S]*")
        .hasCauseInstanceOf(SQLException.class);
    JdbcStore<String, String> broken =
        JdbcStore.builder(dataSource, String.class, String.class)
            .select("SELECT nothing FROM page WHERE url = ?")
            .insert("INSERT INTO page (url, body) VALUES (?, NULL || ?)")
            .update("UPDATE page SET body = ? WHERE url = ?")
            .delete("DELETE FROM page WHERE url = ?")
            .keys("SELECT nothing FROM page")
            .build();
    assertThatThrownBy(() -> broken.get("a")).hasMessageContaining("SELECT nothing");
    assertThatThrownBy(() -> broken.getAll(List.of("a"))).hasMessageContaining("SELECT nothing");
    assertThatThrownBy(broken::keys).isInstanceOf(StoreException.class);
  }

  @Test
  void ofThreadsThatPutOrRemoveOneKeyAtOnceOneIsToldThatItDid() throws Exception {
    JdbcStore<String, String> store = store();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 25; round++) {
        String key = "page " + round;
        assertThat(yeses(threads, () -> store.put(key, "text"))).isEqualTo(1);
        assertThat(yeses(threads, () -> store.remove(key))).isEqualTo(1);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static int yeses(ExecutorService threads, java.util.concurrent.Callable<Boolean> work)
      throws Exception {
    int yeses = 0;
    for (Future<Boolean> answer : threads.invokeAll(List.of(work, work, work, work))) {
      yeses += answer.get() ? 1 : 0;
    }
    return yeses;
  }

  @Test
  void aGuardDeniesNoRowBesideRebuildsAndWriters() throws Exception {
    JdbcStore<String, String> store = store();
    StoreGuard<String, String> guard =
        StoreGuard.<String>builder(KeyHasher.text())
            .expectedKeys(200)
            .fpp(0.1)
            .removable()
            .build(store);
    RebuildSummary first = guard.rebuild(store::keys);
    assertThat(first.keys()).isZero();
    ExecutorService threads = Executors.newFixedThreadPool(3);
    LongAdder wrong = new LongAdder();
    AtomicInteger writing = new AtomicInteger(2);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        int number = writer;
        writers.add(
            threads.submit(
                () -> {
                  write(guard, "writer " + number + " page ", new SplittableRandom(number), wrong);
                  writing.decrementAndGet();
                }));
      }
      Future<?> rebuilds =
          threads.submit(
              () -> {
                while (writing.get() > 0) {
                  RebuildSummary unused = guard.rebuild(store::keys);
                }
              });
      for (Future<?> writer : writers) {
        writer.get();
      }
      rebuilds.get();
    } finally {
      threads.shutdownNow();
    }
    assertThat(wrong.sum()).isZero();
    try (Stream<String> keys = store.keys()) {
      assertThat(keys).isNotEmpty().allMatch(key -> guard.get(key) != null);
    }
  }

  private static void write(
      StoreGuard<String, String> guard, String prefix, SplittableRandom random, LongAdder wrong) {
    boolean[] there = new boolean[100];
    for (int step = 0; step < 400; step++) {
      int number = random.nextInt(there.length);
      String key = prefix + number;
      if (random.nextInt(3) > 0) {
        wrong.add(guard.put(key, "text") == there[number] ? 1 : 0);
        there[number] = true;
      } else {
        wrong.add(guard.remove(key) != there[number] ? 1 : 0);
        there[number] = false;
      }
      wrong.add((guard.get(key) != null) != there[number] ? 1 : 0);
    }
  }

  protected final JdbcStore<String, String> store() {
    JdbcStoreBuilder<String, String> settings =
        JdbcStore.builder(dataSource, String.class, String.class)
            .select("SELECT body FROM page WHERE url = ?")
            .insert("INSERT INTO page (url, body) VALUES (?, ?)")
            .update("UPDATE page SET body = ? WHERE url = ?")
            .delete("DELETE FROM page WHERE url = ?")
            .keys("SELECT url FROM page");
    return settings.sync(sync()).build();
  }
}
