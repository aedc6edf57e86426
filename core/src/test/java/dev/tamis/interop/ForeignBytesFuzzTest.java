package dev.tamis.interop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.google.common.hash.Funnels;
import dev.tamis.format.FormatException;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.parquet.io.api.Binary;

/** Any bytes are a filter of another program, which answers as there, or are refused. */
class ForeignBytesFuzzTest {

  private static final long LIMIT = 1 << 20;
  private static final int ANSWERS = 50;
  private static final KeyHasher<String> TEXT = KeyHasher.text()::hash;

  @FuzzTest(maxDuration = "30m")
  void anyBytesAreReadOrRefused(byte[] bytes) {
    InputBudget.check(
        bytes.length,
        () ->
            Stream.of(ForeignFormat.GUAVA, ForeignFormat.SPARK, ForeignFormat.PARQUET)
                .forEach(format -> check(format, bytes)));
  }

  /**
   * Reads the bytes: they are refused, or come back as they were, and the program whose bytes they
   * are reads them too and gives the same answers.
   */
  private static void check(ForeignFormat format, byte[] bytes) {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    ForeignFilter<String> filter;
    try {
      filter = ForeignFilters.readForeign(format, in, TEXT, LIMIT);
    } catch (FormatException e) {
      assertThat(e.offset()).isBetween(0L, (long) bytes.length);
      return;
    } catch (IOException e) {
      throw new AssertionError("the bytes themselves cannot fail", e);
    }
    byte[] read = Arrays.copyOf(bytes, bytes.length - in.available());
    assertThat(filter.toForeignBytes()).isEqualTo(read);
    assertThat(filter.expectedFpp()).isBetween(0.0, 1.0);
    assertThat(filter.approximateElementCount().low()).isNotNegative();
    Other<String> there = there(format, read);
    for (long number = 0; number < ANSWERS; number++) {
      String key = Exchange.text(number);
      assertThat(filter.mightContain(key)).isEqualTo(there.ask(key));
    }
    wrapAndUnwrap(filter);
  }

  private static void wrapAndUnwrap(ForeignFilter<String> filter) {
    try {
      byte[] frame = filter.toByteArray();
      assertThat(ForeignFilters.readFrom(new ByteArrayInputStream(frame), TEXT, 2 * LIMIT))
          .isEqualTo(filter);
    } catch (IOException e) {
      throw new AssertionError("refuses what it wrote", e);
    }
  }

  private static Other<String> there(ForeignFormat format, byte[] bytes) {
    return switch (format) {
      case GUAVA -> Other.guava(Funnels.stringFunnel(UTF_8), bytes);
      case SPARK -> Other.spark(bytes);
      case PARQUET -> Other.parquet((f, key) -> f.hash(Binary.fromString(key)), bytes);
      case DCSO -> throw new IllegalArgumentException("DCSO's program is no library");
    };
  }
}
