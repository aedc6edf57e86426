package dev.tamis.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** A data frame of some rows and columns of any type, and some of its columns as a key. */
final class RandomData {

  /**
   * Values by a number n, of which few are different, so that rows are repeats. None is a constant:
   * Spark does not group by those, and leaves a −0.0 as it is.
   */
  private static final List<String> VALUES =
      List.of(
          "CAST(n % 100 AS TINYINT)",
          "n",
          "IF(n = 0, NULL, concat('text ', n))",
          "IF(n = 0, -0.0D, IF(n = 1, 0.0D, IF(n = 2, double('NaN'), CAST(n AS DOUBLE))))",
          "IF(n = 0, -0.0F, IF(n = 1, 0.0F, float(n)))",
          "CAST(n AS DECIMAL(38, 5)) / 7",
          "CAST(string(n) AS BINARY)",
          "date_from_unix_date(n)",
          "timestamp_seconds(n)",
          "n = 0",
          "make_dt_interval(n)",
          "array(n, NULL, n % 2)",
          "array(IF(n = 0, -0.0D, IF(n = 1, 0.0D, 1.5D)))",
          "named_struct('a', n, 'b', named_struct('c', IF(n = 0, -0.0F, float('NaN'))))");

  private final Dataset<Row> rows;
  private final String[] columns;

  RandomData(SparkSession spark, long seed) {
    Random random = new Random(seed);
    int width = 1 + random.nextInt(4);
    List<String> values = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      String value = VALUES.get(random.nextInt(VALUES.size()));
      String number =
          String.format(
              Locale.ROOT,
              "CAST(hash(id, %d) %% %d AS INT)",
              random.nextInt(),
              2 + random.nextInt(random.nextBoolean() ? 5 : 500));
      values.add(value.replaceAll("\\bn\\b", "(" + number + ")") + " AS c" + i);
    }
    rows =
        spark
            .range(0, 2 + random.nextInt(1_000), 1, 1 + random.nextInt(5))
            .selectExpr(values.toArray(String[]::new));
    // the other columns of rows with equal keys would depend on which of them comes first
    columns = random.nextBoolean() ? new String[0] : rows.columns();
  }

  Dataset<Row> rows() {
    return rows;
  }

  String[] columns() {
    return columns;
  }

  Dataset<Row> distinct() {
    return rows.dropDuplicates();
  }
}
