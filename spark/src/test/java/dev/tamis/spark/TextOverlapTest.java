package dev.tamis.spark;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.apache.spark.sql.functions.array_join;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.filter;
import static org.apache.spark.sql.functions.split;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.corpus.Overlap;
import dev.tamis.corpus.TextUnits;
import dev.tamis.corpus.UnitFilter;
import dev.tamis.corpus.UnitRule;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.FilterView;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.StaticFilterBuilder;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts on Spark compared with a filter of units, as the library and the command compare them. */
class TextOverlapTest {

  private static final SparkSession SPARK = LocalSpark.session();
  private static final double FPP = 1e-3;
  private static final List<String> WORDS =
      List.of("the", "quick", "brown", "Éric", "naïve", "数据", "don't", "3.14", "fox", "-", "!");
  private static final List<String> QUESTIONS = texts(1, 300);

  /** A few of the questions, some of them within others, and others. */
  private static final List<String> TEXTS = new ArrayList<>(texts(2, 2_000));

  static {
    for (int i = 0; i < 300; i += 3) {
      TEXTS.add(QUESTIONS.get(i));
      TEXTS.add(TEXTS.get(i) + " " + QUESTIONS.get(i + 1) + " " + TEXTS.get(i + 1));
      TEXTS.add(QUESTIONS.get(i).toUpperCase(Locale.ROOT));
    }
    TEXTS.add("");
    TEXTS.add(" \t ");
  }

  @BeforeAll
  static void register() {
    TamisSpark.register(SPARK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"--ngrams 3", "--ngrams 13 --normalize lower", "--paragraphs", "--documents"})
  void sharesAndDecisionsAreThoseOfTheLibrary(String rule) {
    for (int minWords : new int[] {0, 5}) {
      for (HashedFilter<String> filter : filters(rule)) {
        List<Double> expected = new ArrayList<>();
        List<Boolean> drops = new ArrayList<>();
        UnitFilter decisions = UnitFilter.matching(filter, new Overlap(0.8));
        TextUnits units = TextUnits.of(UnitRule.parse(rule), filter).minWords(minWords).build();
        for (String text : TEXTS) {
          byte[] bytes = text.getBytes(UTF_8);
          units.clear();
          units.add(bytes, 0, bytes.length);
          drops.add(decisions.decide(units)[0]);
          expected.add(decisions.shares()[0]);
        }
        assertThat(drops).contains(true, false);
        Dataset<Row> texts = frame(TEXTS);
        Column overlap = overlap(texts, filter, col("text"), minWords);
        assertThat(doubles(texts.select(overlap))).isEqualTo(expected);
        assertThat(texts.select(overlap.geq(0.8)).as(Encoders.BOOLEAN()).collectAsList())
            .isEqualTo(drops);
      }
    }
  }

  @Test
  void paragraphsAreCutOutWhereTheyOverlap(@TempDir Path folder) throws IOException {
    Path path = folder.resolve("eval.tamis");
    FilterFile.save(path, filled(FuseFilter::builder, "--ngrams 3", QUESTIONS));
    String own = "words that are in no question";
    Dataset<Row> texts = frame(List.of(own + "\n" + QUESTIONS.get(7) + "\n" + own));
    // region cut
    FilterView<byte[]> eval = FilterFile.map(path, KeyHasher.bytes());
    Column kept =
        filter(split(col("text"), "\n"), each -> TamisSpark.overlap(texts, eval, each, 5).lt(0.5));
    Dataset<Row> clean = texts.withColumn("text", array_join(kept, "\n"));
    // end cut
    assertThat(clean.as(Encoders.STRING()).collectAsList()).containsExactly(own + "\n" + own);
  }

  @Test
  void aQueryOfSqlTakesTheBytesOfAFile() {
    RibbonFilter<String> filter = ribbon("--ngrams 3", QUESTIONS);
    view(filter);
    frame(TEXTS).createOrReplaceTempView("texts");
    String overlap = "tamis_overlap((SELECT filter FROM eval), text";
    for (int minWords : new int[] {0, 5}) {
      Dataset<Row> texts = frame(TEXTS);
      assertThat(doubles(SPARK.sql("SELECT " + overlap + ", " + minWords + ") FROM texts")))
          .isEqualTo(
              doubles(texts.select(TamisSpark.overlap(texts, filter, col("text"), minWords))));
    }
    assertThat(SPARK.sql("SELECT text FROM texts WHERE " + overlap + ", 0) >= 0.5").count())
        .isBetween(200L, 2_000L);
  }

  @Test
  void aNullIsNoTextAndNoFilter() {
    view(ribbon("--ngrams 3", QUESTIONS));
    assertThat(one("tamis_overlap((SELECT filter FROM eval), NULL, 0)")).isEqualTo(0.0);
    assertThat(one("tamis_overlap(NULL, 'a b c', 0)")).isNull();
  }

  @Test
  void otherArgumentsAreRefusedByName() {
    refuses("tamis_overlap(X'00')", "needs 3 arguments, filter, text, minWords, got 1");
    refuses("tamis_overlap('x', 'x', 0)", "filter: must be binary, the bytes of a Tamis file, got");
    refuses("tamis_overlap(X'00', 7, 0)", "text: must be a string, got int");
    refuses("tamis_overlap(X'00', 'x', 'y')", "minWords: must be an int, got string");
    refuses("tamis_overlap(X'00', 'x', 0)", "not a valid filter: ");
    BloomFilter<CharSequence> lines = BloomFilter.create(KeyHasher.text(), 10, 0.01);
    String expected =
        "filter: must state how keys are made of texts, as tamis corpus build does, got ''";
    assertThatThrownBy(() -> TamisSpark.overlap(frame(TEXTS), lines, col("text"), 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected);
    view(lines);
    assertThatThrownBy(() -> one("tamis_overlap((SELECT filter FROM eval), 'x', 0)"))
        .rootCause()
        .hasMessageContaining("not a rule of units");
    BloomFilter<String> keyed =
        BloomFilter.create(
            new Ruled("--documents").keyedBy(HashKey.of(new byte[HashKey.BYTES])), 10, 0.01);
    assertThatThrownBy(() -> TamisSpark.overlap(frame(TEXTS), keyed, col("text"), 0))
        .hasMessageContaining("secret key");
  }

  private static void refuses(String call, String message) {
    assertThatThrownBy(() -> one(call))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining(message);
  }

  private static Object one(String call) {
    return SPARK.sql("SELECT " + call).first().get(0);
  }

  private static void view(Storable filter) {
    SPARK
        .createDataset(List.of(filter.toByteArray()), Encoders.BINARY())
        .toDF("filter")
        .createOrReplaceTempView("eval");
  }

  private static Dataset<Row> frame(List<String> texts) {
    return SPARK.createDataset(texts, Encoders.STRING()).toDF("text").repartition(1);
  }

  private static List<Double> doubles(Dataset<Row> rows) {
    return rows.as(Encoders.DOUBLE()).collectAsList();
  }

  @SuppressWarnings("unchecked") // each of them can be stored
  private static <F extends HashedFilter<String> & Storable> Column overlap(
      Dataset<?> dataset, HashedFilter<String> filter, Column text, int minWords) {
    return TamisSpark.overlap(dataset, (F) filter, text, minWords);
  }

  /** Returns filters of the questions, as {@code tamis corpus build} makes them. */
  private static List<HashedFilter<String>> filters(String rule) {
    KeyHasher<String> hasher = new Ruled(rule);
    BloomFilter<String> bloom = BloomFilter.create(hasher, 10_000, FPP);
    put(hasher, QUESTIONS, bloom::putHash);
    return List.of(bloom, filled(FuseFilter::builder, rule, QUESTIONS), ribbon(rule, QUESTIONS));
  }

  static RibbonFilter<String> ribbon(String rule, List<String> texts) {
    return filled(RibbonFilter::builder, rule, texts);
  }

  private static <F extends HashedFilter<String>> F filled(
      Function<KeyHasher<String>, StaticFilterBuilder<String, F, ?>> builders,
      String rule,
      List<String> texts) {
    KeyHasher<String> hasher = new Ruled(rule);
    StaticFilterBuilder<String, F, ?> builder = builders.apply(hasher);
    put(hasher, texts, builder::putHash);
    return builder.fpp(FPP).build();
  }

  private static void put(KeyHasher<String> hasher, List<String> texts, LongConsumer put) {
    TextUnits units =
        TextUnits.of(UnitRule.parse(hasher.rule()), BoundHasher.of(hasher, 0).function()).build();
    for (String text : texts) {
      byte[] bytes = text.getBytes(UTF_8);
      units.clear();
      units.add(bytes, 0, bytes.length);
      IntStream.range(0, units.keyCount()).forEach(i -> put.accept(units.keys()[i]));
    }
  }

  private record Ruled(String rule) implements KeyHasher<String> {
    @Override
    public long hash(String key, HashFunction function) {
      return KeyHasher.text().hash(key, function);
    }
  }

  private static List<String> texts(long seed, int count) {
    Random random = new Random(seed);
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                IntStream.range(0, 1 + random.nextInt(30))
                    .mapToObj(j -> WORDS.get(random.nextInt(WORDS.size())) + random.nextInt(3))
                    .collect(Collectors.joining(" ")))
        .toList();
  }
}
