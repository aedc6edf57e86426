package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.file.FilterFile;
import dev.tamis.filter.FilterView;
import dev.tamis.hash.KeyHasher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter of more than 4 GB, built by a process whose heap holds a third of it. */
@Tag("thorough")
class LargeSlicedFilterTest {

  private static final long EXPECTED_KEYS = 3_500_000_000L;
  private static final long KEYS = 20_000_000L;
  private static final int SLICES = 32;

  @Test
  void isBuiltInLessMemoryThanItTakes(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("large.tamis");
    ChildJvm.run(
        folder.resolve("output"),
        Map.of(),
        List.of(
            "-Xmx1500m",
            "-cp",
            System.getProperty("java.class.path"),
            Program.class.getName(),
            file.toString()));

    assertThat(Files.size(file)).isGreaterThan(4L << 30);
    FilterView<Long> filter = FilterFile.map(file, KeyHasher.longs());
    filter.verifyChecksum();
    for (long key = 0; key < KEYS; key += 101) {
      assertThat(filter.mightContainLong(key)).isTrue();
    }
    long wrong = 0;
    for (long key = KEYS; key < KEYS + 1_000_000; key++) {
      wrong += filter.mightContainLong(key) ? 1 : 0;
    }
    assertThat(wrong).isLessThan(10); // nearly empty
  }

  /** Takes the path of the filter. */
  static final class Program {

    private Program() {}

    public static void main(String[] arguments) {
      String path = arguments[0];
      SparkSession spark =
          LocalSpark.builder().config("spark.local.dir", path + ".shuffle").getOrCreate();
      SlicedFilter built =
          TamisSpark.keys(spark.range(0, KEYS, 1, 16).toDF(), KeyColumns.longs("id"))
              .slicedFilter(path, EXPECTED_KEYS, 0.01, SLICES);
      spark.stop();
      if (built.keys() != KEYS) {
        throw new IllegalStateException("keys: expected " + KEYS + ", got " + built);
      }
    }
  }
}
