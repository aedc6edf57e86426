package dev.tamis.bench.tools;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBDriver;

/**
 * Writes each distinct line of a file once, in any order, by {@code SELECT DISTINCT} of DuckDB.
 *
 * <pre>
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.tools.DuckDbDistinct FILE OUTPUT THREADS
 * </pre>
 */
public final class DuckDbDistinct {

  /** In no line, so that each is one value; quotes are bytes like others. */
  private static final String FORMAT = "delim = E'\\x01', header = false, quote = '', escape = ''";

  private DuckDbDistinct() {}

  /** Takes the file, where to write, and how many threads DuckDB may use. */
  public static void main(String[] args) throws SQLException {
    if (args.length != 3) {
      System.err.println("usage: DuckDbDistinct FILE OUTPUT THREADS");
      System.exit(2);
    }
    // not by DriverManager: in the jar of all benchmarks the services of H2 hide this driver
    try (Connection database = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        Statement statement = database.createStatement()) {
      statement.execute("SET threads = " + Integer.parseInt(args[2]));
      // else the lines are kept until they can be written in the order of the file
      statement.execute("SET preserve_insertion_order = false");
      statement.execute(
          "COPY (SELECT DISTINCT line FROM read_csv("
              + text(args[0])
              + ", columns = {'line': 'VARCHAR'}, auto_detect = false, "
              + FORMAT
              + ")) TO "
              + text(args[1])
              + " (FORMAT csv, HEADER false, DELIMITER E'\\x01', QUOTE '', ESCAPE '')");
    }
  }

  private static String text(String words) {
    return "'" + words.replace("'", "''") + "'";
  }
}
