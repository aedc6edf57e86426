package dev.tamis.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongBiFunction;
import java.util.stream.Stream;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;

/**
 * One way in which filters go to and fro: a format and a type of key, here and in the other
 * program.
 *
 * @param <T> the type of key
 * @param name for messages
 * @param format whose bytes
 * @param hasher how keys are hashed here
 * @param key a key for each number, different ones for different numbers
 * @param here makes an empty filter here
 * @param there makes an empty filter there
 * @param readThere reads bytes there
 */
record Exchange<T>(
    String name,
    ForeignFormat format,
    KeyHasher<T> hasher,
    LongFunction<T> key,
    Maker<ForeignFilter<T>> here,
    Maker<Other<T>> there,
    Function<byte[], Other<T>> readThere) {

  interface Maker<F> {
    F create(long expectedKeys, double fpp);
  }

  static final int SEED = -77;

  private static final KeyHasher<String> TEXT = KeyHasher.text()::hash;

  ForeignFilter<T> readHere(byte[] bytes) {
    try {
      return ForeignFilters.readForeign(
          format, new ByteArrayInputStream(bytes), hasher, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Stream<Exchange<?>> all() {
    return Stream.of(guava(), spark(1), spark(2), parquet()).flatMap(x -> x);
  }

  private static Stream<Exchange<?>> guava() {
    return Stream.of(
        guava("strings", TEXT, Exchange::text, Funnels.stringFunnel(UTF_8)),
        guava("longs", KeyHasher.longs(), Exchange::number, Funnels.longFunnel()),
        guava("ints", KeyHasher.ints(), Exchange::smallNumber, Funnels.integerFunnel()),
        guava("bytes", KeyHasher.bytes(), Exchange::bytes, Funnels.byteArrayFunnel()));
  }

  private static <T> Exchange<T> guava(
      String keys, KeyHasher<T> hasher, LongFunction<T> key, Funnel<? super T> funnel) {
    return new Exchange<>(
        "guava " + keys,
        ForeignFormat.GUAVA,
        hasher,
        key,
        (n, p) -> GuavaBloomFilter.create(hasher, n, p),
        (n, p) -> Other.guava(funnel, n, p),
        bytes -> Other.guava(funnel, bytes));
  }

  private static Stream<Exchange<?>> spark(int version) {
    return Stream.of(
        spark(version, "strings", TEXT, Exchange::text),
        spark(version, "longs", KeyHasher.longs(), Exchange::number),
        spark(version, "ints", KeyHasher.longs().on(Integer::longValue), Exchange::smallNumber),
        spark(version, "bytes", KeyHasher.bytes(), Exchange::bytes));
  }

  private static <T> Exchange<T> spark(
      int version, String keys, KeyHasher<T> hasher, LongFunction<T> key) {
    return new Exchange<>(
        "spark-v" + version + " " + keys,
        ForeignFormat.SPARK,
        hasher,
        key,
        (n, p) ->
            version == 1
                ? SparkBloomFilter.createVersion1(hasher, n, p)
                : SparkBloomFilter.create(hasher, n, p, SEED),
        (n, p) -> Other.spark(version, n, p, SEED),
        Other::spark);
  }

  private static Stream<Exchange<?>> parquet() {
    KeyHasher<Double> doubles = KeyHasher.longs().on(Double::doubleToRawLongBits);
    return Stream.of(
        parquet("strings", TEXT, Exchange::text, (f, key) -> f.hash(Binary.fromString(key))),
        parquet("longs", KeyHasher.longs(), Exchange::number, (f, key) -> f.hash((long) key)),
        parquet("ints", KeyHasher.ints(), Exchange::smallNumber, (f, key) -> f.hash((int) key)),
        parquet("doubles", doubles, number -> number / 3.0, (f, key) -> f.hash((double) key)),
        parquet(
            "bytes",
            KeyHasher.bytes(),
            Exchange::bytes,
            (f, key) -> f.hash(Binary.fromConstantByteArray(key))));
  }

  private static <T> Exchange<T> parquet(
      String keys,
      KeyHasher<T> hasher,
      LongFunction<T> key,
      ToLongBiFunction<BlockSplitBloomFilter, T> hash) {
    return new Exchange<>(
        "parquet " + keys,
        ForeignFormat.PARQUET,
        hasher,
        key,
        (n, p) -> ParquetBloomFilter.create(hasher, n, p),
        (n, p) -> Other.parquet(hash, n, p),
        bytes -> Other.parquet(hash, bytes));
  }

  /** Text of many lengths and alphabets, once with half a surrogate pair, once empty. */
  static String text(long number) {
    return switch ((int) (number % 5)) {
      case 0 -> number == 0 ? "" : Long.toString(number);
      case 1 -> "https://example.org/catalogue/items?page=" + number;
      case 2 -> "Schl\u00FCssel-\u6F22\u5B57-" + number;
      case 3 -> "\uD83D\uDE00" + "x".repeat((int) (number % 70)) + number;
      default -> number + "\uD83D";
    };
  }

  /** Half of them next to each other and the rest far apart. */
  static long number(long number) {
    return number % 2 == 0 ? number - 100 : number * 0x9E3779B97F4A7C15L;
  }

  static int smallNumber(long number) {
    return (int) number * 0x9E3779B9;
  }

  /** Up to 70 random bytes and the number at the end. */
  static byte[] bytes(long number) {
    if (number == 0) {
      return new byte[0];
    }
    byte[] bytes = new byte[(int) (number % 71) + 5];
    new Random(number).nextBytes(bytes);
    byte[] last = Long.toString(number).getBytes(UTF_8);
    byte[] both = Arrays.copyOf(bytes, bytes.length + last.length);
    System.arraycopy(last, 0, both, bytes.length, last.length);
    return both;
  }

  @Override
  public String toString() {
    return name;
  }
}
