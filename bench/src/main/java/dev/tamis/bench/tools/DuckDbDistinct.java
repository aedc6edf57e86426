package dev.tamis.bench.tools;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBDriver;

/**
 * Writes each distinct line of a file once, in any order, by {@code SELECT DISTINCT} of DuckDB.
 *
 * <p>With a member, one JSON record for each value of it, by {@code DISTINCT ON}.
 *
 * <pre>
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.tools.DuckDbDistinct FILE OUTPUT THREADS [MEMBER]
 * </pre>
 */
public final class DuckDbDistinct {

  /** In no line, so that each is one value; quotes are bytes like others. */
  private static final String FORMAT = "delim = E'\\x01', header = false, quote = '', escape = ''";

  private DuckDbDistinct() {}

  /** Takes the file, where to write, how many threads DuckDB may use, and perhaps a member. */
  public static void main(String[] args) throws SQLException {
    if (args.length != 3 && args.length != 4) {
      System.err.println("usage: DuckDbDistinct FILE OUTPUT THREADS [MEMBER]");
      System.exit(2);
    }
    // not by DriverManager: in the jar of all benchmarks the services of H2 hide this driver
    try (Connection database = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        Statement statement = database.createStatement()) {
      statement.execute("SET threads = " + Integer.parseInt(args[2]));
      // else the lines are kept until they can be written in the order of the file
      statement.execute("SET preserve_insertion_order = false");
      if (args.length == 4) {
        statement.execute(
            "COPY (SELECT DISTINCT ON ("
                + args[3]
                + ") * FROM read_json("
                + text(args[0])
                + ", format = 'newline_delimited', maximum_object_size = 67108864)) TO "
                + text(args[1])
                + " (FORMAT json)");
        return;
      }
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
