package dev.tamis.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** The session that all tests of the module share: two threads, no user interface, no Hive. */
final class LocalSpark {

  private static final SparkSession SESSION =
      SparkSession.builder()
          .master("local[2]")
          .appName("tests")
          .config("spark.ui.enabled", false)
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.sql.shuffle.partitions", 4)
          .config(
              "spark.sql.warehouse.dir", Path.of("target/warehouse").toAbsolutePath().toString())
          .getOrCreate();

  private LocalSpark() {}

  static SparkSession session() {
    return SESSION;
  }
}
