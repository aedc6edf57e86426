package dev.tamis.examples.spark;

import dev.tamis.spark.ExactDistinct;
import dev.tamis.spark.TamisSpark;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Writes the distinct lines of a text file to a new directory, and prints how many there are.
 *
 * <p>The result is exact. The order of the lines is not kept.
 */
public final class SparkDistinct {

  private static final String NAME = "spark-distinct";

  private SparkDistinct() {}

  /**
   * Runs it, in this process or wherever {@code spark-submit} sends it.
   *
   * @param arguments the file or directory to read, and the directory to write
   */
  public static void main(String[] arguments) throws InterruptedException {
    if (arguments.length != 2) {
      System.err.println("SparkDistinct: needs a text file and a directory for the output");
      System.exit(2);
    }
    boolean isSubmitted = System.getProperty("spark.master") != null;
    SparkSession spark =
        (isSubmitted ? SparkSession.builder().appName(NAME) : local()).getOrCreate();
    try {
      System.out.println(run(spark, arguments[0], arguments[1]));
    } finally {
      spark.stop();
    }
  }

  /** Returns the settings of a session in this process. */
  static SparkSession.Builder local() {
    return SparkSession.builder()
        .master("local[*]")
        .appName(NAME)
        .config("spark.ui.enabled", false)
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1");
  }

  static Summary run(SparkSession spark, String input, String output) throws InterruptedException {
    Dataset<Row> lines = spark.read().text(input);
    ExactDistinct<Row> distinct = TamisSpark.exactDistinct(lines);
    Observation written = new Observation();
    distinct
        .rows()
        .observe(written, functions.count(functions.lit(1)).as("unique"))
        .write()
        .text(output);
    Map<String, Object> counts = written.getAsJava();
    return new Summary(distinct.inputRows(), (long) counts.getOrDefault("unique", 0L));
  }

  /** How many lines were read and written. */
  record Summary(long lines, long unique) {

    @Override
    public String toString() {
      return "lines=" + lines + " unique=" + unique + " duplicates=" + (lines - unique);
    }
  }
}
