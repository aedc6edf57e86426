package dev.tamis.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sketch.CountMinSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.VoidFunction2;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A filter that Spark builds is byte for byte what a loop over the same keys makes of them. */
class BuildTest {

  private static final int KEYS = 20_000;

  private static final SparkSession SPARK = LocalSpark.session();

  /** Every key twice, of all types, in seven partitions, with nulls. */
  private static final Dataset<Row> DATA =
      SPARK
          .range(0, 2L * KEYS, 1, 7)
          .selectExpr(
              "id % 20000 AS id",
              "CAST(id % 20000 AS INT) AS number",
              "concat('ключ ', id % 20000) AS url",
              "CAST(concat('ключ ', id % 20000) AS BINARY) AS bytes",
              "IF(id % 10 = 0, NULL, concat('ключ ', id % 20000)) AS sometimes");

  @Test
  void textHashesAsEverywhere() {
    byte[] expected = filled(KeyHasher.text(), 0.01, i -> "ключ " + i);
    BuildResult<BloomFilter<CharSequence>> built =
        TamisSpark.keys(DATA, KeyColumns.text("url")).filter(KEYS, 0.01);

    assertThat(built.contents().toByteArray()).isEqualTo(expected);
    assertThat(built.contents().mightContain("ключ 7")).isTrue();
    assertThat(built.keys()).isEqualTo(2 * KEYS);
    assertThat(built.nullKeys()).isZero();
    assertThat(built.warning()).isEmpty();
  }

  @Test
  void numbersAndBytesHashAsEverywhere() {
    assertThat(TamisSpark.filter(DATA, KeyColumns.longs("id"), KEYS, 1e-6).toByteArray())
        .isEqualTo(filled(KeyHasher.longs(), 1e-6, i -> (long) i));
    assertThat(TamisSpark.filter(DATA, KeyColumns.ints("number"), KEYS, 0.1).toByteArray())
        .isEqualTo(filled(KeyHasher.ints(), 0.1, i -> i));
    assertThat(TamisSpark.filter(DATA, KeyColumns.bytes("bytes"), KEYS, 0.01).toByteArray())
        .isEqualTo(filled(KeyHasher.bytes(), 0.01, i -> ("ключ " + i).getBytes(UTF_8)));
  }

  private static <K> byte[] filled(KeyHasher<? super K> hasher, double fpp, IntFunction<K> key) {
    BloomFilter<K> filter = BloomFilter.create(hasher, KEYS, fpp);
    for (int i = 0; i < KEYS; i++) {
      filter.put(key.apply(i));
    }
    return filter.toByteArray();
  }

  @Test
  void severalColumnsHashAsFields() {
    KeyHasher<Long> each =
        KeyHasher.fields(
            KeyHasher.text().on((Long id) -> "ключ " + id),
            KeyHasher.longs(),
            KeyHasher.ints().on(Long::intValue));
    BloomFilter<Row> filter =
        TamisSpark.filter(
            DATA,
            KeyColumns.fields(
                KeyColumns.text("url"), KeyColumns.longs("id"), KeyColumns.ints("number")),
            KEYS,
            0.01);

    assertThat(filter.toByteArray()).isEqualTo(filled(each, 0.01, i -> (long) i));
    assertThat(filter.mightContain(RowFactory.create("ключ 5", 5L, 5))).isTrue();
  }

  @Test
  void aRowWithANullHasNoKey() {
    BuildResult<BloomFilter<CharSequence>> built =
        TamisSpark.keys(DATA, KeyColumns.text("sometimes")).filter(KEYS, 0.01);
    assertThat(built.nullKeys()).isEqualTo(2 * KEYS / 10);
    assertThat(built.keys()).isEqualTo(2 * KEYS - built.nullKeys());

    BuildResult<BloomFilter<Row>> fields =
        TamisSpark.keys(
                DATA, KeyColumns.fields(KeyColumns.longs("id"), KeyColumns.text("sometimes")))
            .filter(KEYS, 0.01);
    assertThat(fields.nullKeys()).isEqualTo(built.nullKeys());
  }

  @Test
  void anRddAndATypedDatasetGiveTheSameBytes() {
    List<String> words = new ArrayList<>();
    BloomFilter<String> expected = BloomFilter.create(KeyHasher.text(), 1_000, 0.01);
    for (int i = 0; i < 1_000; i++) {
      words.add("word " + i);
      expected.put("word " + i);
    }
    words.add(null);
    JavaRDD<String> rdd =
        JavaSparkContext.fromSparkContext(SPARK.sparkContext()).parallelize(words, 3);
    Dataset<String> dataset = SPARK.createDataset(words, Encoders.STRING());

    BuildResult<BloomFilter<String>> fromRdd =
        TamisSpark.<String>keys(rdd, KeyHasher.text()).filter(1_000, 0.01);
    BuildResult<BloomFilter<String>> fromDataset =
        TamisSpark.<String>keys(dataset, KeyHasher.text()).filter(1_000, 0.01);

    assertThat(fromRdd.contents().toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(fromRdd.nullKeys()).isEqualTo(1);
    assertThat(fromDataset.contents().toByteArray()).isEqualTo(expected.toByteArray());
    assertThat(fromDataset.nullKeys()).isEqualTo(1);
  }

  @Test
  void aCountingFilterCountsRepeats() {
    var built = TamisSpark.keys(DATA, KeyColumns.longs("id")).countingFilter(KEYS, 0.01);
    assertThat(built.contents().approximateCount(17L)).isGreaterThanOrEqualTo(2);
    assertThat(built.contents().toBloomFilter().toByteArray())
        .isEqualTo(TamisSpark.filter(DATA, KeyColumns.longs("id"), KEYS, 0.01).toByteArray());
  }

  @Test
  void aDistinctCounterIgnoresRepeats() {
    var built = TamisSpark.keys(DATA, KeyColumns.text("url")).distinctCounter(14);
    assertThat(built.contents().approximateElementCount().value())
        .isBetween(KEYS * 0.97, KEYS * 1.03);
    assertThat(built.keys()).isEqualTo(2 * KEYS);
  }

  @Test
  void aCountMinSketchIsThatOfOneThread() {
    CountMinSketch<Long> expected = CountMinSketch.create(KeyHasher.longs(), 0.001, 0.01);
    for (long i = 0; i < KEYS; i++) {
      expected.put(i, 2);
    }
    var built = TamisSpark.keys(DATA, KeyColumns.longs("id")).countMin(0.001, 0.01);
    assertThat(built.contents().toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void anyLayoutAndSeedCanBeFilled() {
    BloomFilter<Long> expected =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(KEYS)
            .fpp(0.01)
            .layout(Layout.CLASSIC)
            .seed(42)
            .build();
    BloomFilter<Long> target = expected.copy();
    target.put(-1L);
    expected.put(-1L);
    for (long i = 0; i < KEYS; i++) {
      expected.put(i);
    }

    TamisSpark.keys(DATA, KeyColumns.longs("id")).putInto(target);

    assertThat(target.toByteArray()).isEqualTo(expected.toByteArray());
  }

  @Test
  void noRowsGiveAnEmptyFilter() {
    BuildResult<BloomFilter<Long>> built =
        TamisSpark.keys(DATA.where("id < 0"), KeyColumns.longs("id")).filter(100, 0.01);
    assertThat(built.contents().approximateElementCount().value()).isZero();
    assertThat(built.keys()).isZero();
  }

  @Test
  void aFilterOverCapacitySaysSo() {
    SparkKeys<Long> keys = TamisSpark.keys(DATA, KeyColumns.longs("id"));
    assertThat(keys.filter(KEYS / 10, 0.01).warning().orElse(""))
        .startsWith("the filter was built for 2000 keys at an fpp of 0.01 and has about ")
        .endsWith("; build it for more expectedKeys");
    assertThat(keys.filter(KEYS, 0.01).warning()).isEmpty();
  }

  @Test
  void eachMicroBatchOfAStreamIsAdded(@TempDir java.nio.file.Path folder) throws Exception {
    String input = folder.resolve("input").toString();
    DATA.select("id").repartition(4).write().parquet(input);
    BloomFilter<Long> seen = BloomFilter.create(KeyHasher.longs(), KEYS, 0.01);
    AtomicReference<Long> batches = new AtomicReference<>(0L);
    VoidFunction2<Dataset<Row>, Long> add =
        (batch, number) -> {
          TamisSpark.keys(batch, KeyColumns.longs("id")).putInto(seen);
          batches.set(number + 1);
        };

    StreamingQuery query =
        SPARK
            .readStream()
            .schema(new StructType().add("id", DataTypes.LongType))
            .option("maxFilesPerTrigger", 2)
            .parquet(input)
            .writeStream()
            .option("checkpointLocation", folder.resolve("checkpoint").toString())
            .trigger(Trigger.AvailableNow())
            .foreachBatch(add)
            .start();
    query.awaitTermination(60_000);

    assertThat(batches.get()).isEqualTo(2);
    assertThat(seen.toByteArray())
        .isEqualTo(TamisSpark.filter(DATA, KeyColumns.longs("id"), KEYS, 0.01).toByteArray());
  }

  @Test
  void aColumnOfAnotherTypeIsRefused() {
    assertThatThrownBy(() -> TamisSpark.keys(DATA, KeyColumns.text("id")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("column id: must be of type string, got bigint; cast it, or name its own type");
    assertThatThrownBy(() -> TamisSpark.keys(DATA, KeyColumns.ints("id")))
        .hasMessageContaining("column id: must be of type int, got bigint");
  }

  @Test
  void smallerIntegersAreWidened() {
    byte[] longs = TamisSpark.filter(DATA, KeyColumns.longs("id"), KEYS, 0.01).toByteArray();
    assertThat(TamisSpark.filter(DATA, KeyColumns.longs("number"), KEYS, 0.01).toByteArray())
        .isEqualTo(longs);
    Dataset<Row> small = DATA.selectExpr("SMALLINT(id) AS `an.id`");
    assertThat(TamisSpark.filter(small, KeyColumns.longs("an.id"), KEYS, 0.01).toByteArray())
        .isEqualTo(longs);
  }

  @Test
  void textOfACollationIsRefused() {
    Dataset<Row> collated = DATA.selectExpr("url COLLATE UTF8_LCASE AS url");
    assertThatThrownBy(() -> TamisSpark.keys(collated, KeyColumns.text("url")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("COLLATE UTF8_BINARY");
  }

  @Test
  void aSecretKeyStaysInItsProcess() {
    BloomFilter<Long> keyed =
        BloomFilter.create(
            KeyHasher.longs().keyedBy(HashKey.of(new byte[HashKey.BYTES])), KEYS, 0.01);
    assertThatThrownBy(() -> TamisSpark.keys(DATA, KeyColumns.longs("id")).putInto(keyed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must have no secret key");
  }

  @Test
  void whatCannotBeMergedIsRefusedBeforeTheJob() {
    SparkKeys<Long> keys = TamisSpark.keys(DATA, KeyColumns.longs("id"));
    CountMinSketch<Long> conservative =
        CountMinSketch.<Long>builder(KeyHasher.longs())
            .epsilon(0.01)
            .delta(0.01)
            .conservative()
            .build();
    assertThatThrownBy(() -> keys.putInto(conservative))
        .isInstanceOf(IllegalArgumentException.class);
    ScalableBloomFilter<Long> scalable =
        ScalableBloomFilter.<Long>builder(KeyHasher.longs()).fpp(0.01).build();
    assertThatThrownBy(() -> keys.putInto(scalable)).hasMessageContaining("got kind scalable");
  }
}
