package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.LineRanges;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A filter built in slices is the file of the one built as a whole. */
class SlicedBuildTest {

  private static final SparkSession SPARK = LocalSpark.session();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int KEYS = 30_000;
  private static final KeyColumns<Long> ID = KeyColumns.longs("id");
  private static final Dataset<Row> DATA =
      SPARK.range(0, KEYS, 1, 5).selectExpr("IF(id < 10, NULL, id) AS id");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"0.05, 3", "0.01, 1", "0.01, 7", "0.000001, 5"})
  void theSlicesAreTheFile(double fpp, int slices) throws Exception {
    Path file = folder.resolve("sliced.tamis");
    SlicedFilter sliced =
        TamisSpark.keys(DATA, ID).slicedFilter(file.toString(), KEYS, fpp, slices);

    BloomFilter<Long> whole = TamisSpark.filter(DATA, ID, KEYS, fpp);
    assertThat(Files.readAllBytes(file)).isEqualTo(whole.toByteArray());
    assertThat(sliced.bytes()).isEqualTo(whole.serializedSize());
    assertThat(sliced.keys()).isEqualTo(KEYS - 10);
    assertThat(sliced.nullKeys()).isEqualTo(10);
    assertThat(sliced.distinctKeys()).isEqualTo(whole.approximateElementCount().rounded());
    assertThat(sliced.fpp()).isBetween(0.9 * fpp, 1.05 * fpp);
    assertThat(sliced.warning()).isEmpty();
    assertThat(FilterFile.loadBloom(file, KeyHasher.longs()).mightContain(17L)).isTrue();
  }

  @Test
  void onlyTheFileIsLeft() throws Exception {
    Path file = folder.resolve("sliced.tamis");
    Files.writeString(file, "what was there before");
    TamisSpark.keys(DATA, ID).slicedFilter(file.toString(), KEYS, 0.01, 4);
    assertOnly(file);
  }

  private void assertOnly(Path file) throws IOException {
    try (var left = Files.list(folder)) {
      assertThat(left).containsExactly(file);
    }
  }

  @Test
  void aJobThatFailsLeavesWhatWasThere() throws Exception {
    Path file = folder.resolve("sliced.tamis");
    Files.writeString(file, "what was there before");
    Dataset<Row> failing = DATA.selectExpr("IF(id = 20000, raise_error('stop'), id) AS id");
    assertThatThrownBy(
            () -> TamisSpark.keys(failing, ID).slicedFilter(file.toString(), KEYS, 0.01, 4))
        .hasStackTraceContaining("stop");
    assertOnly(file);
    assertThat(Files.readString(file)).isEqualTo("what was there before");
  }

  @Test
  void aFilterOverCapacitySaysSo() {
    SlicedFilter sliced =
        TamisSpark.keys(DATA, ID)
            .slicedFilter(folder.resolve("small").toString(), KEYS / 10, 0.01, 2);
    assertThat(sliced.warning().orElse("")).startsWith("the filter was built for 3000 keys");
  }

  @Test
  void otherFileSystemsReplaceByRenaming() throws Exception {
    Path file = folder.resolve("remote");
    Files.writeString(file, "before");
    var target = new org.apache.hadoop.fs.Path(file.toUri());
    Publication.publishRemote(target, new Configuration(), out -> out.write(new byte[] {1, 2}));
    assertThat(Files.readAllBytes(file)).containsExactly(1, 2);
    assertThatThrownBy(
            () ->
                Publication.publishRemote(
                    target,
                    new Configuration(),
                    out -> {
                      throw new IOException("disk full");
                    }))
        .hasMessage("disk full");
    assertThat(Files.readAllBytes(file)).containsExactly(1, 2);
    try (var left = Files.list(folder)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder("remote", ".remote.crc");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 10_001})
  void slicesAreOneToTheLines(int slices) {
    Shape shape = new Shape(Layout.SPLIT, 512L * 10_000, 8);
    assertThatThrownBy(() -> SlicedBuild.slices(shape, slices))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("slices must be 1 to the filter's 10000 cache lines, got " + slices);
  }

  @Test
  void scatteredLayoutsAreRefused() {
    assertThatThrownBy(() -> SlicedBuild.slices(new Shape(Layout.CLASSIC, 5_120, 7), 2))
        .hasMessage(
            "layout: must be blocked, so that the bits of a key are in one slice or two, got"
                + " classic");
  }

  /** All that the task of a slice allocates, however many keys it gets. */
  @Test
  void aTaskNeedsItsSliceAndAConstant() throws Exception {
    Sizing sizing = Sizing.builder().expectedKeys(20_000_000).fpp(0.01).solve();
    int count = 16;
    LineRanges slices = SlicedBuild.slices(sizing.shape(), count);
    long sliceBytes = sizing.shape().bits() / Byte.SIZE / count;
    byte[] chunk = new byte[1 << 13];
    long before = THREADS.getCurrentThreadAllocatedBytes();

    SlicedBuild.SliceBits bits = new SlicedBuild.SliceBits(sizing.shape(), slices, 3);
    bits.put(chunk);
    bits.writeTo(OutputStream.nullOutputStream());

    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).isBetween(sliceBytes, sliceBytes + (1 << 20));
  }

  /** All that is kept while hashes are divided, apart from the chunks that the shuffle takes. */
  @Test
  void dividingHashesTakesAConstant() {
    Sizing sizing = Sizing.builder().expectedKeys(1_000_000_000).fpp(0.01).solve();
    for (int count : new int[] {1, 100, 2_000, 20_000}) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      SlicedBuild.SliceHashes<Long> hashes = sliced(sizing, count, 1_000_000);
      long shuffled = 0;
      while (hashes.hasNext()) {
        shuffled += hashes.next()._2().length;
      }
      long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
      assertThat(shuffled).isEqualTo(8_000_000);
      // boxed keys of this test, tuples, and the chunks themselves
      assertThat(allocated).isLessThan(24_000_000 + 2 * shuffled + (16 << 20));
    }
  }

  private static SlicedBuild.SliceHashes<Long> sliced(Sizing sizing, int count, int keys) {
    KeyHashes<Long> longs =
        new KeyHashes<>() {
          private static final long serialVersionUID = 1;

          @Override
          public boolean isNull(Long element) {
            return false;
          }

          @Override
          public long hash(Long element, HashFunction function) {
            return function.hashLong(element);
          }
        };
    return new SlicedBuild.SliceHashes<>(
        LongStream.range(0, keys).iterator(),
        longs,
        HashFunction.xxh3(0),
        sizing.shape(),
        SlicedBuild.slices(sizing.shape(), count));
  }
}
