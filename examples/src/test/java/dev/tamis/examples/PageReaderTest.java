package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Filter;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.Storable;
import dev.tamis.explorer.Node;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The explorer page answers as the filters do that wrote the files, for each single key. */
class PageReaderTest {

  private static final int KEYS = 2_000;
  private static final double FPP = 0.1;

  @TempDir private Path folder;

  @BeforeEach
  void needsNode() throws IOException, InterruptedException {
    Node.assumeInstalled();
  }

  @Test
  void answersForEachKeyAsTheFilterDoes() throws Exception {
    List<byte[]> keys = Samples.keys(2);
    List<Sample> samples =
        new Samples(keys)
            .all().stream().filter(sample -> sample.content() instanceof Filter<?>).toList();
    assertThat(samples.size() * keys.size()).isGreaterThan(100_000);
    assertSameAnswers(keys, samples, keys);
  }

  @Test
  void answersForNumbersOf64BitsAsTheFilterDoes() throws Exception {
    List<Long> numbers =
        LongStream.concat(
                LongStream.of(0, 1, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 53)
                    .flatMap(edge -> LongStream.of(edge - 1, edge, edge + 1)),
                new SplittableRandom(4).longs(KEYS))
            .boxed()
            .toList();
    assertSameNumbers("i64", KeyHasher.longs(), numbers);
  }

  @Test
  void answersForNumbersOf32BitsAsTheFilterDoes() throws Exception {
    List<Integer> numbers =
        IntStream.concat(
                IntStream.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE),
                new SplittableRandom(5).ints(KEYS))
            .boxed()
            .toList();
    assertSameNumbers("i32", KeyHasher.ints(), numbers);
  }

  @Test
  void overlapsAreThoseThatTheFiltersEstimate() throws Exception {
    List<byte[]> keys = Samples.keys(6);
    List<BloomFilter<byte[]>> firsts = inEachLayout();
    List<BloomFilter<byte[]>> seconds = inEachLayout();
    for (int i = 0; i < firsts.size(); i++) {
      keys.subList(0, 1_000).forEach(firsts.get(i)::put);
      keys.subList(700, 1_500).forEach(seconds.get(i)::put);
      Files.write(folder.resolve(2 * i + ".tamis"), firsts.get(i).toByteArray());
      Files.write(folder.resolve(2 * i + 1 + ".tamis"), seconds.get(i).toByteArray());
    }
    Node.Run page =
        Node.run(
            folder,
            List.of("src/test/page/compare-overlaps.mjs", folder.toAbsolutePath().toString()));
    assertThat(page.exit()).as(page.out()).isZero();
    List<String> lines = page.out().lines().toList();
    assertThat(lines).hasSameSizeAs(firsts);
    for (int i = 0; i < lines.size(); i++) {
      double[] found =
          Arrays.stream(lines.get(i).split(" ")).mapToDouble(Double::parseDouble).toArray();
      assertThat(found)
          .as(firsts.get(i).toString())
          .containsExactly(
              numbers(firsts.get(i).estimateOverlap(seconds.get(i))), Offset.offset(1e-9));
    }
  }

  private static double[] numbers(Overlap overlap) {
    return Stream.of(
            overlap.first(),
            overlap.second(),
            overlap.union(),
            overlap.intersection(),
            overlap.jaccard().orElseThrow())
        .flatMapToDouble(
            estimate -> DoubleStream.of(estimate.value(), estimate.low(), estimate.high()))
        .toArray();
  }

  private static List<BloomFilter<byte[]>> inEachLayout() {
    return Arrays.stream(Layout.values())
        .map(
            layout ->
                BloomFilter.<byte[]>builder(KeyHasher.bytes())
                    .layout(layout)
                    .expectedKeys(KEYS)
                    .fpp(FPP)
                    .build())
        .toList();
  }

  private <T> void assertSameNumbers(String form, KeyHasher<T> hasher, List<T> numbers)
      throws Exception {
    BloomFilter<T> filter = BloomFilter.create(hasher, KEYS, FPP);
    numbers.subList(0, numbers.size() / 2).forEach(filter::put);
    List<byte[]> typed =
        numbers.stream().map(number -> number.toString().getBytes(US_ASCII)).toList();
    assertSameAnswers(typed, List.of(new Sample(form, filter)), numbers, form);
  }

  private <T> void assertSameAnswers(
      List<byte[]> typed, List<Sample> samples, List<T> keys, String... form) throws Exception {
    Files.write(folder.resolve("keys"), packed(typed));
    for (int i = 0; i < samples.size(); i++) {
      Files.write(folder.resolve(i + ".tamis"), samples.get(i).content().toByteArray());
    }
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "src/test/page/compare-answers.mjs",
                folder.toAbsolutePath().toString(),
                Samples.SECRET,
                Samples.nanosOfNow()));
    arguments.addAll(List.of(form));
    Node.Run page = Node.run(folder, arguments);
    assertThat(page.exit()).as(page.out()).isZero();
    List<String> answers = page.out().lines().toList();
    assertThat(answers).hasSameSizeAs(samples);
    for (int i = 0; i < samples.size(); i++) {
      assertThat(answers.get(i))
          .as(samples.get(i).name())
          .isEqualTo(expected(samples.get(i).content(), keys));
    }
  }

  @SuppressWarnings("unchecked") // all samples of a test are of the keys of that test
  private static <T> String expected(Storable filter, List<T> keys) {
    return keys.stream()
        .map(key -> ((Filter<T>) filter).mightContain(key) ? "1" : "0")
        .collect(Collectors.joining(" "));
  }

  private static byte[] packed(List<byte[]> keys) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] key : keys) {
      all.writeBytes(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(key.length).array());
      all.writeBytes(key);
    }
    return all.toByteArray();
  }
}
