package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Keys;
import dev.tamis.Race;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters past 2³¹ and 2³² bits: where an int somewhere in between would show. */
@Tag("thorough")
class LargeBloomFilterTest {

  private static final int SIXTEENTHS = 16;
  private static final int HEADER_BYTES = 128;
  private static final long QUERIES = 20_000_000;

  /**
   * Bits, hashes and keys are such that there are enough wrong answers to count: an index that
   * reached only half of the bits would make them 2^k times as many.
   */
  @ParameterizedTest
  @CsvSource({
    "CLASSIC, 3000000000, 3, 50000000",
    "CLASSIC, 8000000000, 3, 100000000",
    "PARTITIONED, 8000000000, 3, 100000000",
    "LINE, 8000000000, 3, 100000000",
    "SPLIT, 3000000000, 8, 120000000",
    "SPLIT, 8000000000, 8, 300000000",
    "SPLIT_PAIR, 8000000000, 16, 150000000",
  })
  void usesAllItsBitsAndKeepsItsFpp(Layout layout, long mostBits, int hashes, long keys)
      throws IOException {
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(layout)
            .bits(mostBits)
            .hashes(hashes)
            .build();
    assertThat(filter.bitSize()).isBetween(mostBits - 512, mostBits);
    Keys.hashes(1, keys).forEach(filter::putHash);

    assertOnesAreSpreadEvenly(filter, keys);
    assertThat(Keys.hashes(1, 1_000_000).allMatch(filter::mightContainHash)).isTrue();
    assertThat(filter.approximateElementCount().value() / keys).isBetween(0.999, 1.001);
    assertThat(filter.expectedFpp() / filter.shape().fpp(keys)).isBetween(0.98, 1.02);
    double expected = filter.expectedFpp() * QUERIES;
    long wrong = Keys.hashes(2, QUERIES).filter(filter::mightContainHash).count();
    assertThat((double) wrong).isCloseTo(expected, within(5 * Math.sqrt(expected)));
  }

  @ParameterizedTest
  @EnumSource(names = {"CLASSIC", "SPLIT", "SPLIT_PAIR"})
  void comesBackThroughAPipe(Layout layout) throws IOException {
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(layout)
            .bits(8_000_000_000L)
            .hashes(16)
            .build();
    Keys.hashes(1, 10_000_000).forEach(filter::putHash);
    AtomicReference<BloomFilter<Long>> read = new AtomicReference<>();
    PipedOutputStream out = new PipedOutputStream();
    PipedInputStream in = new PipedInputStream(out, 1 << 20);

    Race.run(
        2,
        thread -> {
          if (thread == 0) {
            try (out) {
              filter.writeTo(out);
            }
          } else {
            read.set(
                BloomFilter.readFrom(
                    new BufferedInputStream(in, 1 << 20), KeyHasher.longs(), 1_000_000_000L));
          }
        });

    assertThat(read.get().equals(filter)).isTrue(); // not isEqualTo, whose message could be large
  }

  @ParameterizedTest
  @EnumSource(names = {"CLASSIC", "SPLIT", "SPLIT_PAIR"})
  void threadsLoseNothingPastTwoToThe32Bits(Layout layout) {
    long keys = 20_000_000;
    BloomFilterBuilder<Long> builder =
        BloomFilter.<Long>builder(KeyHasher.longs()).layout(layout).bits(5_000_000_000L).hashes(16);
    BloomFilter<Long> shared = builder.build();
    BloomFilter<Long> alone = builder.singleThreaded().build();
    Race.run(4, thread -> Keys.hashes(thread, keys / 4).forEach(shared::putHash));
    for (int thread = 0; thread < 4; thread++) {
      Keys.hashes(thread, keys / 4).forEach(alone::putHash);
    }
    assertThat(shared.equals(alone)).isTrue();
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#allSingleThreaded")
  void keepsItsFppWithAHundredMillionKeys(BloomSpec spec) {
    long keys = 100_000_000;
    double fpp = 0.01;
    BloomFilter<Long> filter = spec.create(keys, fpp);
    Keys.hashes(1, keys).forEach(filter::putHash);

    long wrong = Keys.hashes(2, QUERIES).filter(filter::mightContainHash).count();

    double deviation = Math.sqrt(QUERIES * fpp);
    assertThat((double) wrong).isLessThan(QUERIES * fpp + 5 * deviation);
    assertThat((double) wrong).isGreaterThan(QUERIES * fpp * 0.99 - 5 * deviation);
    assertThat((double) keys - filter.acceptedKeys())
        .isCloseTo(filter.expectedWrongDrops(), within(0.02 * filter.expectedWrongDrops()));
  }

  @Test
  void sequentialKeysAreNoDifferentPastTwoToThe32Bits() {
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(Layout.SPLIT)
            .bits(5_000_000_000L)
            .hashes(8)
            .build();
    long keys = 200_000_000;
    for (long key = 0; key < keys; key++) {
      filter.put(key);
    }
    long wrong = 0;
    for (long key = keys; key < keys + QUERIES; key++) {
      wrong += filter.mightContain(key) ? 1 : 0;
    }
    double expected = filter.shape().fpp(keys) * QUERIES;
    assertThat((double) wrong).isCloseTo(expected, within(5 * Math.sqrt(expected)));
  }

  private static void assertOnesAreSpreadEvenly(BloomFilter<Long> filter, long keys)
      throws IOException {
    SixteenthsOfOnes out = new SixteenthsOfOnes(filter.serializedSize());
    filter.writeTo(out);
    double mean = Arrays.stream(out.ones).average().orElseThrow();
    assertThat((double) filter.fillState().setBits()).isCloseTo(SIXTEENTHS * mean, within(100.0));
    // five standard deviations of the keys in a sixteenth, where a key is in one of them
    double slack = 5 * Math.sqrt((double) SIXTEENTHS / keys);
    for (long ones : out.ones) {
      assertThat(ones / mean).isCloseTo(1, within(slack));
    }
  }

  /** Counts the set bits in each sixteenth of the payload, and keeps nothing else. */
  private static final class SixteenthsOfOnes extends OutputStream {

    private final long[] ones = new long[SIXTEENTHS];
    private final long payloadBytes;
    private long at = -HEADER_BYTES;

    SixteenthsOfOnes(long bytes) {
      this.payloadBytes = bytes - HEADER_BYTES - Integer.BYTES;
    }

    @Override
    public void write(int next) {
      if (at >= 0 && at < payloadBytes) {
        ones[(int) (at * SIXTEENTHS / payloadBytes)] += Integer.bitCount(next & 0xFF);
      }
      at++;
    }
  }
}
