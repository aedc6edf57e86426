package dev.tamis.bench.tools;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.GetStats;
import dev.tamis.tools.guard.GuardState;
import dev.tamis.tools.guard.GuardVerdict;
import dev.tamis.tools.guard.ReadGuard;
import dev.tamis.tools.guard.RebuildSummary;
import dev.tamis.tools.guard.StoreGuard;
import dev.tamis.tools.guard.StoreReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;

/**
 * Prints what a guard before a table of H2 saves at several hit rates, as a table in Markdown.
 *
 * <pre>
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.tools.GuardedStore [KEYS [ASKS]]
 * </pre>
 *
 * <p>KEYS rows, 1e6 by default, are in a file of the temporary directory, with a text of a hundred
 * characters each. ASKS keys, 1e5 by default, are looked up one by one in one thread, with and
 * without the guard; all of it once before, unmeasured.
 */
public final class GuardedStore {

  private static final double FPP = 0.01;
  private static final double[] HIT_RATES = {0, 0.1, 0.5, 0.9, 0.99, 1};
  private static final int BATCH = 10_000;
  private static final long SEED = 1;

  private final StoreReader<String, String> store;
  private final Path file;
  private final int keys;
  private final int asks;

  private GuardedStore(StoreReader<String, String> store, Path file, int keys, int asks) {
    this.store = store;
    this.file = file;
    this.keys = keys;
    this.asks = asks;
  }

  /** Prints the tables; ends with an error if a key was denied. */
  public static void main(String[] args) throws IOException, SQLException {
    int keys = args.length > 0 ? Integer.parseInt(args[0]) : 1_000_000;
    int asks = args.length > 1 ? Integer.parseInt(args[1]) : 100_000;
    Path directory = Files.createTempDirectory("guarded-store");
    JdbcConnectionPool pool =
        JdbcConnectionPool.create("jdbc:h2:" + directory.resolve("pages"), "", "");
    try {
      fill(pool, keys);
      StoreReader<String, String> store = url -> select(pool, url);
      new GuardedStore(store, directory.resolve("pages.tamis"), keys, asks).print();
    } finally {
      pool.dispose();
      delete(directory);
    }
  }

  private static void fill(JdbcConnectionPool pool, int keys) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE page (url VARCHAR PRIMARY KEY, body VARCHAR)");
      connection.setAutoCommit(false);
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO page (url, body) VALUES (?, ?)")) {
        for (int i = 0; i < keys; i++) {
          insert.setString(1, present(i));
          insert.setString(2, "text ".repeat(20));
          insert.addBatch();
          if (i % BATCH == BATCH - 1 || i == keys - 1) {
            int[] unused = insert.executeBatch();
            connection.commit();
          }
        }
      }
      connection.setAutoCommit(true);
    }
  }

  private static @Nullable String select(JdbcConnectionPool pool, String url) {
    try (Connection connection = pool.getConnection();
        PreparedStatement select =
            connection.prepareStatement("SELECT body FROM page WHERE url = ?")) {
      select.setString(1, url);
      ResultSet rows = select.executeQuery();
      return rows.next() ? rows.getString(1) : null;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String present(int number) {
    return "https://example.org/page/" + number;
  }

  private static String absent(int number) {
    return "https://example.org/none/" + number;
  }

  private void print() throws IOException {
    ReadGuard<String, String> guard = guard();
    RebuildSummary rebuilt =
        guard.rebuild(() -> IntStream.range(0, keys).mapToObj(GuardedStore::present));
    if (!guard.save() || guard().state() != GuardState.READY) {
      throw new IllegalStateException("the filter was not saved and loaded");
    }
    System.out.println(rebuilt.keys() + " keys, " + rebuilt.memoryBytes() + " bytes\n");
    System.out.println(
        "| hit rate | reads saved | measured fpp | store alone, µs | with guard, µs | verdict |");
    System.out.println("|---:|---:|---:|---:|---:|---|");
    for (double hitRate : HIT_RATES) {
      row(hitRate);
    }
  }

  private void row(double hitRate) {
    ReadGuard<String, String> guard = guard();
    List<String> questions = questions(hitRate);
    double unused = micros(store, questions) + micros(guard, questions);
    double alone = micros(store, questions);
    GetStats before = guard.gets();
    double guarded = micros(guard, questions);
    GetStats after = guard.gets();
    GuardVerdict verdict = guard.stats().verdict();
    System.out.printf(
        Locale.ROOT,
        "| %.0f %% | %.2f %% | %s | %.2f | %.2f | %s: look %.3f µs, read %.2f µs |%n",
        100 * hitRate,
        100.0 * (after.skipped() - before.skipped()) / asks,
        after.measuredFpp().isPresent()
            ? String.format(Locale.ROOT, "%.3f %%", 100 * after.measuredFpp().getAsDouble())
            : "–",
        alone,
        guarded,
        verdict.answer(),
        verdict.askNanos() / 1e3,
        verdict.readNanos() / 1e3);
  }

  /** Returns a guard that is ready, from the file if there is one. */
  private ReadGuard<String, String> guard() {
    return StoreGuard.<String>builder(KeyHasher.text())
        .expectedKeys(keys)
        .fpp(FPP)
        .file(file)
        .buildReading(store);
  }

  private List<String> questions(double hitRate) {
    SplittableRandom random = new SplittableRandom(SEED);
    return Stream.generate(
            () ->
                random.nextDouble() < hitRate
                    ? present(random.nextInt(keys))
                    : absent(random.nextInt(Integer.MAX_VALUE)))
        .limit(asks)
        .toList();
  }

  /** Returns the mean time of a lookup; a false negative is an error. */
  private static double micros(StoreReader<String, String> reader, List<String> questions) {
    long start = System.nanoTime();
    for (String question : questions) {
      if ((reader.get(question) != null) != question.contains("/page/")) {
        throw new IllegalStateException("wrong answer for " + question);
      }
    }
    return (System.nanoTime() - start) / 1e3 / questions.size();
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
