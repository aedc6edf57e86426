package dev.tamis.spark;

import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;

/**
 * Spark in the process of a test or a benchmark: two threads, three attempts of a task, no user
 * interface, no Hive.
 */
final class LocalSpark {

  static final int PARTITIONS = 4;

  private LocalSpark() {}

  /** Returns the settings of a session of one's own. */
  static SparkSession.Builder builder() {
    return SparkSession.builder()
        .master("local[2, 3]")
        .config("spark.ui.enabled", false)
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.sql.warehouse.dir", Path.of("target/warehouse").toAbsolutePath().toString())
        .config(
            "spark.sql.streaming.stateStore.providerClass",
            "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider");
  }

  /** Returns the session that all tests of the module share. */
  static SparkSession session() {
    return Shared.SESSION;
  }

  private static final class Shared {
    static final SparkSession SESSION =
        builder().config("spark.sql.shuffle.partitions", PARTITIONS).getOrCreate();
  }
}
