package dev.tamis.spark;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Uses every part that goes to other processes, and writes what came of it. */
public final class SubmittedProgram {

  private SubmittedProgram() {}

  /** Takes the path of the file to write. */
  public static void main(String[] arguments) throws Exception {
    SparkSession spark = SparkSession.builder().getOrCreate();
    Dataset<Row> data =
        spark.range(0, 10_000, 1, 4).selectExpr("id % 9000 AS id", "concat('k', id) AS text");
    BloomFilter<Long> expected = BloomFilter.create(KeyHasher.longs(), 9_000, 0.01);
    for (long i = 0; i < 9_000; i++) {
      expected.put(i);
    }
    KeyColumns<Long> id = KeyColumns.longs("id");
    Path sliced = Path.of(arguments[0] + ".tamis");
    TamisSpark.keys(data, id).slicedFilter(sliced.toString(), 9_000, 0.01, 3);
    BloomFilter<Long> few = TamisSpark.filter(data.where("id < 100"), id, 100, 1e-9);
    BloomFilter<Long> typed =
        TamisSpark.<Long>keys(data.select("id").as(Encoders.LONG()), KeyHasher.longs())
            .filter(9_000, 0.01)
            .contents();
    data.createOrReplaceTempView("data");
    String result =
        "executors="
            + (spark.sparkContext().statusTracker().getExecutorInfos().length - 1)
            + " same="
            + (expected.equals(TamisSpark.filter(data, id, 9_000, 0.01)) && expected.equals(typed))
            + " sliced="
            + expected.equals(FilterFile.loadBloom(sliced, KeyHasher.longs()))
            + " joined="
            + TamisSpark.reduce(data, id, few).rows().select("id").distinct().count()
            + " distinct="
            + TamisSpark.exactDistinct(data.select("id")).rows().count()
            + " sql="
            + spark
                .sql(
                    "SELECT count(DISTINCT id) FROM data WHERE tamis_might_contain((SELECT"
                        + " tamis_build(id, 100, 1e-9) FROM data WHERE id < 100), id)")
                .head()
                .getLong(0)
            + "\n";
    spark.stop();
    Files.writeString(Path.of(arguments[0]), result);
  }
}
