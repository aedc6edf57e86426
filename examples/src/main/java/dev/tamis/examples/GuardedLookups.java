package dev.tamis.examples;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.guard.GuardState;
import dev.tamis.tools.guard.RebuildSummary;
import dev.tamis.tools.guard.StoreGuard;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.h2.jdbcx.JdbcConnectionPool;

/**
 * Keeps the lines of a file in a table, and looks up lines that are there and lines that are not.
 */
public final class GuardedLookups {

  private GuardedLookups() {}

  /** Takes the file and the directory of the database, which a second run finds again. */
  public static void main(String[] args) throws IOException, SQLException {
    Usage.require(2, args, GuardedLookups.class, "FILE DIRECTORY");
    run(Path.of(args[0]), Path.of(args[1]), System.out);
  }

  static void run(Path file, Path directory, PrintStream out) throws IOException, SQLException {
    Files.createDirectories(directory);
    String database = directory.toAbsolutePath().resolve("links").toString();
    JdbcConnectionPool pool = JdbcConnectionPool.create("jdbc:h2:" + database, "", "");
    try {
      createTable(pool);
      JdbcStore<String, Integer> table =
          new JdbcStore<>(
              pool,
              new JdbcStore.Table("link", "url", "line", "CHECKPOINT SYNC"),
              String.class,
              Integer.class);
      try (StoreGuard<String, Integer> links =
          StoreGuard.<String>builder(KeyHasher.text())
              .expectedKeys(10_000)
              .fpp(0.01)
              .file(directory.resolve("links.tamis"))
              .build(table)) {
        look(links, table, file, out);
      } // saves the filter, before the database is closed
    } finally {
      pool.dispose();
    }
  }

  private static void look(
      StoreGuard<String, Integer> links,
      JdbcStore<String, Integer> table,
      Path file,
      PrintStream out)
      throws IOException {
    if (links.state() != GuardState.READY) {
      RebuildSummary rebuilt = links.rebuild(table::keys);
      out.println("rebuilt from " + rebuilt.keys() + " rows");
    }
    List<String> urls;
    try (Stream<String> lines = Files.lines(file)) {
      urls = lines.distinct().toList();
    }
    for (int line = 0; line < urls.size(); line++) {
      if (links.get(urls.get(line)) == null) {
        boolean unused = links.put(urls.get(line), line + 1);
      }
    }
    for (String url : urls) {
      if (links.get(url) == null || links.get(url + "?print") != null) {
        throw new IllegalStateException("wrong answer for " + url);
      }
    }
    out.println(links.gets());
    out.println(links.stats().verdict().sentence());
  }

  private static void createTable(JdbcConnectionPool pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE IF NOT EXISTS link (url VARCHAR(2000) PRIMARY KEY, line INTEGER)");
    }
  }
}
