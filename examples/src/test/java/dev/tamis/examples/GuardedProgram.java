package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.GuardBuilder;
import dev.tamis.tools.guard.GuardState;
import dev.tamis.tools.guard.RebuildSummary;
import dev.tamis.tools.guard.StoreGuard;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;

/** What {@link GuardKillTest} kills: it checks every row at its start, then writes and saves. */
final class GuardedProgram {

  private static final int KEYS = 300;
  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

  private GuardedProgram() {}

  /** Takes the path of the database, the kind of guard, and a seed. */
  public static void main(String[] args) throws Exception {
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:" + args[0], "", "");
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE IF NOT EXISTS page (id BIGINT PRIMARY KEY, body VARCHAR)");
    }
    // H2 writes half a second after a commit, so a kill also loses what was answered
    JdbcStore<Long, String> store =
        new JdbcStore<>(
            pool,
            new JdbcStore.Table("page", "id", "body", "CHECKPOINT SYNC"),
            Long.class,
            String.class);
    GuardBuilder<Long> settings =
        StoreGuard.<Long>builder(KeyHasher.longs())
            .expectedKeys(KEYS)
            .fpp(0.1)
            .staleAbove(1)
            .file(Path.of(args[0] + ".tamis"));
    StoreGuard<Long, String> guard =
        (args[1].equals("removable") ? settings.removable() : settings).build(store);
    check(guard, store);
    OUT.println("started " + guard.state());
    if (guard.state() != GuardState.READY) {
      RebuildSummary unused = guard.rebuild(store::keys);
      check(guard, store);
    }
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
    while (random.nextInt(80) > 0) {
      step(guard, store, random);
      OUT.println("step");
    }
    guard.close(); // before the store, which must still be there to be synced
    pool.dispose();
  }

  private static void step(
      StoreGuard<Long, String> guard, JdbcStore<Long, String> store, SplittableRandom random)
      throws Exception {
    boolean unused;
    switch (random.nextInt(12)) {
      case 8, 9, 10, 11 -> check(guard, store); // as long as a save, so that kills hit either
      case 0, 1 -> unused = guard.remove((long) random.nextInt(KEYS));
      case 2, 3, 4 -> unused = guard.put((long) random.nextInt(KEYS), "text");
      case 5, 6 -> unused = guard.save();
      default -> {
        if (random.nextInt(4) == 0) {
          RebuildSummary unusedSummary = guard.rebuild(store::keys);
        }
      }
    }
  }

  private static void check(StoreGuard<Long, String> guard, JdbcStore<Long, String> store) {
    try (Stream<Long> keys = store.keys()) {
      keys.forEach(
          key -> {
            if (guard.get(key) == null) {
              throw new IllegalStateException(guard.state() + " and yet denies " + key);
            }
          });
    }
  }
}
