package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tasks whose first attempt fails, after some rows, change no result and no count. */
class RetryTest {

  private static final SparkSession SPARK = LocalSpark.session();

  private static final int ROWS = 8_000;

  /** Half of the rows are repeats. */
  private static final String INPUT = "range(0, " + ROWS + ", 1, 4)";

  @BeforeAll
  static void register() {
    TamisSpark.register(SPARK);
    registerFailing();
  }

  /** Adds the function {@code fails_once(text)}, which fails at the 20th row of a first attempt. */
  static void registerFailing() {
    SPARK.udf().register("fails_once", new FailsOnce(), DataTypes.StringType);
  }

  @Test
  void aFilterIsBuiltOnce() {
    String build = "SELECT tamis_build(%s, 4000, 0.01) FROM " + INPUT;
    byte[] expected =
        SPARK.sql(String.format(Locale.ROOT, build, "string(id % 4000)")).head().getAs(0);
    byte[] built =
        SPARK
            .sql(String.format(Locale.ROOT, build, "fails_once(string(id % 4000))"))
            .head()
            .getAs(0);
    assertThat(built).isEqualTo(expected);

    var result = TamisSpark.keys(rows("fails_once"), KeyColumns.text("id")).filter(4_000, 0.01);
    assertThat(result.keys()).isEqualTo(ROWS);
    assertThat(result.contents()).isEqualTo(OpenedFilter.read(expected));
  }

  @Test
  void exactDistinctCountsAndKeepsEachRowOnce() {
    ExactDistinct<Row> distinct = TamisSpark.exactDistinct(rows("fails_once"));
    assertThat(distinct.rows().selectExpr("fails_once(id) AS id").collectAsList())
        .containsExactlyInAnyOrderElementsOf(rows("string").dropDuplicates().collectAsList());
    assertThat(distinct.inputRows()).isEqualTo(ROWS);
    assertThat(distinct.repeatedHashes()).isEqualTo(ROWS / 2);
  }

  private static Dataset<Row> rows(String function) {
    return SPARK.sql("SELECT " + function + "(string(id % 4000)) AS id FROM " + INPUT);
  }

  private static final class FailsOnce implements UDF1<String, String> {
    private static final long serialVersionUID = 1;
    private static final int FAILING_ROW = 20;
    private static final ThreadLocal<long[]> ROWS_OF_ATTEMPT =
        ThreadLocal.withInitial(() -> new long[2]);

    @Override
    public String call(String text) {
      TaskContext task = TaskContext.get();
      if (task == null || task.attemptNumber() > 0) {
        return text;
      }
      long[] rows = ROWS_OF_ATTEMPT.get();
      if (rows[0] != task.taskAttemptId()) {
        rows[0] = task.taskAttemptId();
        rows[1] = 0;
      }
      if (++rows[1] == FAILING_ROW) {
        throw new IllegalStateException("first attempt");
      }
      return text;
    }
  }
}
