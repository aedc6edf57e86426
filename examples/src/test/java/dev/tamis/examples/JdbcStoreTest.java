package dev.tamis.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.RebuildSummary;
import dev.tamis.tools.guard.StoreGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On H2; {@link PostgresStoreTest} runs the same on PostgreSQL. */
class JdbcStoreTest {

  /** Kept, because the log manager would forget the level with the logger. */
  private static final Logger LOG = Logger.getLogger("dev.tamis.tools.guard");

  @TempDir Path directory;

  private DataSource dataSource;
  private JdbcStore<String, String> store;

  DataSource database() throws IOException {
    return JdbcConnectionPool.create("jdbc:h2:" + directory.resolve("pages"), "", "");
  }

  String sync() {
    return "CHECKPOINT SYNC";
  }

  @BeforeEach
  void createTable() throws Exception {
    LOG.setLevel(Level.OFF); // each rebuild is a message
    dataSource = database();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS page");
      statement.execute("CREATE TABLE page (url VARCHAR(200) PRIMARY KEY, body VARCHAR(50))");
    }
    store = store("page");
  }

  private JdbcStore<String, String> store(String table) {
    return new JdbcStore<>(
        dataSource, new JdbcStore.Table(table, "url", "body", sync()), String.class, String.class);
  }

  @Test
  void rowsArePutReadAndRemovedAndTheAnswersSayWhatWasDone() {
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
    for (int i = 0; i < 100; i++) {
      assertThat(store.put("page " + i, "text")).isTrue();
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
  void errorsNameTheStatement() {
    assertThatThrownBy(() -> store.put("a", "x".repeat(51)))
        .hasMessageMatching(".*rejected \"(INSERT INTO|UPDATE) page.*")
        .hasCauseInstanceOf(SQLException.class);
    assertThatThrownBy(() -> store("nothing").get("a")).hasMessageContaining("FROM nothing");
    assertThatThrownBy(store("nothing")::keys).hasCauseInstanceOf(SQLException.class);
  }

  @Test
  void ofThreadsThatPutOrRemoveOneKeyAtOnceExactlyOneSucceeds() {
    for (int round = 0; round < 25; round++) {
      String key = "page " + round;
      assertThat(successes(() -> store.put(key, "text"))).isEqualTo(1);
      assertThat(successes(() -> store.remove(key))).isEqualTo(1);
    }
  }

  private static int successes(BooleanSupplier work) {
    AtomicInteger successes = new AtomicInteger();
    Race.run(4, thread -> successes.addAndGet(work.getAsBoolean() ? 1 : 0));
    return successes.get();
  }

  @Test
  void aGuardDeniesNoRowDuringRebuildsAndWrites() {
    StoreGuard<String, String> guard =
        StoreGuard.<String>builder(KeyHasher.text())
            .expectedKeys(200)
            .fpp(0.1)
            .removable()
            .build(store);
    assertThat(guard.rebuild(store::keys).keys()).isZero();
    LongAdder wrong = new LongAdder();
    AtomicInteger writing = new AtomicInteger(2);
    Race.run(
        3,
        thread -> {
          if (thread < 2) {
            write(guard, thread, wrong);
            writing.decrementAndGet();
          }
          while (thread == 2 && writing.get() > 0) {
            RebuildSummary unused = guard.rebuild(store::keys);
          }
        });
    assertThat(wrong.sum()).isZero();
    try (Stream<String> keys = store.keys()) {
      assertThat(keys).isNotEmpty().allMatch(key -> guard.get(key) != null);
    }
  }

  private static void write(StoreGuard<String, String> guard, int writer, LongAdder wrong) {
    SplittableRandom random = new SplittableRandom(writer);
    boolean[] there = new boolean[100];
    for (int step = 0; step < 400; step++) {
      int number = random.nextInt(there.length);
      String key = "writer " + writer + " page " + number;
      boolean put = random.nextInt(3) > 0;
      boolean changed = put ? guard.put(key, "text") : guard.remove(key);
      wrong.add(changed == (put == there[number]) ? 1 : 0);
      there[number] = put;
      wrong.add((guard.get(key) != null) != put ? 1 : 0);
    }
  }
}
