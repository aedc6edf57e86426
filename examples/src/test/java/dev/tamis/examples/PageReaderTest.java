package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Filter;
import dev.tamis.MutableFilter;
import dev.tamis.Overlap;
import dev.tamis.Storable;
import dev.tamis.explorer.Node;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.DcsoBloomFilter;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.interop.ForeignFormat;
import dev.tamis.interop.GuavaBloomFilter;
import dev.tamis.interop.GuavaMitz32BloomFilter;
import dev.tamis.interop.ParquetBloomFilter;
import dev.tamis.interop.SparkBloomFilter;
import dev.tamis.sketch.CountMinSketch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
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

  /** The others have no numbers, or widen shorter ones. */
  private static final Set<ForeignFormat> FORMATS_WITH_LONGS =
      EnumSet.complementOf(EnumSet.of(ForeignFormat.DCSO));

  private static final Set<ForeignFormat> FORMATS_WITH_INTS =
      EnumSet.of(ForeignFormat.GUAVA, ForeignFormat.PARQUET);

  @TempDir private Path folder;

  @BeforeEach
  void needsNode() throws IOException, InterruptedException {
    Node.assumeInstalled();
  }

  @Test
  void answersForEachKeyAsTheFilterDoes() throws Exception {
    List<byte[]> keys = Samples.keys(2);
    List<Sample> samples = new Samples(keys).all();
    assertThat(samples.size() * keys.size()).isGreaterThan(100_000);
    assertSameAnswers(keys, samples, keys);
  }

  /** Of each strategy and version, four filters with from one to twenty bits for each key. */
  @Test
  void answersForEachKeyAsOtherProgramsDo() throws Exception {
    List<byte[]> keys = Samples.keys(3);
    List<Sample> samples =
        DoubleStream.of(0.6, 0.1, 1e-3, 1e-6)
            .boxed()
            .flatMap(fpp -> foreign(KeyHasher.bytes(), fpp).stream())
            .map(filter -> filled(filter, keys.subList(0, Samples.PRESENT)))
            .toList();
    assertThat(4 * keys.size()).isGreaterThan(10_000);
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
    assertSameNumbers("i64", KeyHasher.longs(), numbers, FORMATS_WITH_LONGS);
  }

  @Test
  void answersForNumbersOf32BitsAsTheFilterDoes() throws Exception {
    List<Integer> numbers =
        IntStream.concat(
                IntStream.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE),
                new SplittableRandom(5).ints(KEYS))
            .boxed()
            .toList();
    assertSameNumbers("i32", KeyHasher.ints(), numbers, FORMATS_WITH_INTS);
  }

  @Test
  void sharesOfOtherProgramsFiltersAreThoseThatTheFiltersEstimate() throws Exception {
    List<byte[]> keys = Samples.keys(6);
    List<ForeignFilter<byte[]>> firsts = foreign(KeyHasher.bytes(), FPP);
    List<ForeignFilter<byte[]>> seconds = foreign(KeyHasher.bytes(), FPP);
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

  private <T> void assertSameNumbers(
      String form, KeyHasher<T> hasher, List<T> numbers, Set<ForeignFormat> formats)
      throws Exception {
    List<MutableFilter<T>> filters = new ArrayList<>();
    filters.add(BloomFilter.create(hasher, KEYS, FPP));
    foreign(hasher, FPP).stream()
        .filter(filter -> formats.contains(filter.format()))
        .forEach(filters::add);
    List<T> present = numbers.subList(0, numbers.size() / 2);
    List<Sample> samples = filters.stream().map(filter -> filled(filter, present)).toList();
    List<byte[]> typed =
        numbers.stream().map(number -> number.toString().getBytes(US_ASCII)).toList();
    assertSameAnswers(typed, samples, numbers, form);
  }

  /** Returns an empty filter of each strategy and version of each other program. */
  private static <T> List<ForeignFilter<T>> foreign(KeyHasher<? super T> hasher, double fpp) {
    int keys = Samples.PRESENT;
    return List.of(
        GuavaBloomFilter.create(hasher, keys, fpp),
        GuavaMitz32BloomFilter.create(hasher, keys, fpp),
        SparkBloomFilter.createVersion1(hasher, keys, fpp),
        SparkBloomFilter.create(hasher, keys, fpp, (int) (-1e9 * fpp)),
        ParquetBloomFilter.create(hasher, keys, fpp),
        DcsoBloomFilter.create(hasher, keys, fpp));
  }

  private static <T> Sample filled(MutableFilter<T> filter, List<T> present) {
    present.forEach(filter::put);
    return new Sample(filter.toString(), (Storable) filter);
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
  private static <T> String expected(Storable content, List<T> keys) {
    return keys.stream()
        .map(
            key ->
                content instanceof CountMinSketch<?> sketch
                    ? String.valueOf(((CountMinSketch<T>) sketch).approximateCount(key))
                    : ((Filter<T>) content).mightContain(key) ? "1" : "0")
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
