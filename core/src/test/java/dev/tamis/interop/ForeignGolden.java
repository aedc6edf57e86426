package dev.tamis.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.hash.Funnels;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import org.apache.parquet.io.api.Binary;

/**
 * Small files of other programs in {@code src/test/resources/interop}, named after the program's
 * version and the variant, which every later reader must read.
 */
@SuppressWarnings("ImmutableEnumChecker") // the functions have no state
enum ForeignGolden {
  GUAVA(
      "guava-33.8.0",
      ForeignFormat.GUAVA,
      (keys, fpp) -> Other.guava(Funnels.stringFunnel(UTF_8), keys, fpp)),
  SPARK_1("spark-4.2.0-v1", ForeignFormat.SPARK, (keys, fpp) -> Other.spark(1, keys, fpp, 0)),
  SPARK_2(
      "spark-4.2.0-v2",
      ForeignFormat.SPARK,
      (keys, fpp) -> Other.spark(2, keys, fpp, Exchange.SEED)),
  PARQUET(
      "parquet-1.18.1",
      ForeignFormat.PARQUET,
      (keys, fpp) -> Other.parquet((f, key) -> f.hash(Binary.fromString(key)), keys, fpp));

  static final int KEYS = 100;
  static final double FPP = 0.01;

  private final String file;
  private final ForeignFormat format;

  private final Exchange.Maker<Other<String>> maker;

  ForeignGolden(String file, ForeignFormat format, Exchange.Maker<Other<String>> maker) {
    this.file = file;
    this.format = format;
    this.maker = maker;
  }

  byte[] madeThere() {
    Other<String> there = maker.create(KEYS, FPP);
    Stream.iterate(0, i -> i < KEYS, i -> i + 1).forEach(i -> there.put(key(i)));
    return there.bytes();
  }

  static String key(int i) {
    return "key-" + i;
  }

  ForeignFormat format() {
    return format;
  }

  /** Returns the file of the other program, and the frame of ours around it. */
  String fileName(boolean framed) {
    return framed ? "v1-" + file + ".tamis" : file + ".bin";
  }

  byte[] read(boolean framed) {
    String resource = "/interop/" + fileName(framed);
    try (InputStream in = ForeignGolden.class.getResourceAsStream(resource)) {
      return requireNonNull(in, resource).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
