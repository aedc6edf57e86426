package dev.tamis.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/** The session that all tests of the module share: two threads, no user interface, no Hive. */
final class LocalSpark {

  static final int PARTITIONS = 4;

  private static final SparkSession SESSION =
      SparkSession.builder()
          .master("local[2]")
          .appName("tests")
          .config("spark.ui.enabled", false)
          .config("spark.driver.bindAddress", "127.0.0.1")
          .config("spark.driver.host", "127.0.0.1")
          .config("spark.sql.shuffle.partitions", PARTITIONS)
          .config(
              "spark.sql.warehouse.dir", Path.of("target/warehouse").toAbsolutePath().toString())
          .config(
              "spark.sql.streaming.stateStore.providerClass",
              "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider")
          .getOrCreate();

  private LocalSpark() {}

  static SparkSession session() {
    return SESSION;
  }
}
