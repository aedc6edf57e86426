package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.Keys;
import dev.tamis.Parts;
import dev.tamis.Race;
import dev.tamis.Storable;
import dev.tamis.format.FormatException;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A view answers as the filter that was written, wherever the borders of its buffers are. */
class FilterViewTest {

  /** So many keys at 1 % make some 120 KB: buffers of a line, of a page, and all in one. */
  private static final int[] PART_BYTES = {64, 4096, 1 << 30};

  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#allSingleThreaded")
  void answersAsTheBloomFilter(BloomSpec spec) throws IOException {
    BloomFilter<Long> filter = spec.create(100_000, 0.01);
    Keys.hashes(1, 100_000).forEach(filter::putHash);
    assertTwin(filter, Kind.BLOOM, 100_000);
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#allSingleThreaded")
  void answersAsTheBloomFilterHoweverFull(BloomSpec spec) throws IOException {
    for (int keys : new int[] {0, 1, 1_000, 5_000}) {
      for (double fpp : new double[] {0.1, 1e-5}) {
        BloomFilter<Long> filter = spec.create(1_000, fpp);
        Keys.hashes(1, keys).forEach(filter::putHash);
        assertTwin(filter, Kind.BLOOM, 2_000);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.filter.BloomSpec#allSingleThreaded")
  void answersAsTheSmallestBloomFilters(BloomSpec spec) throws IOException {
    for (int expectedKeys = 1; expectedKeys < 30; expectedKeys++) {
      BloomFilter<Long> filter = spec.create(expectedKeys, 0.3);
      Keys.hashes(1, expectedKeys).forEach(filter::putHash);
      assertTwin(filter, Kind.BLOOM, 100);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "3, 0, 0.01",
    "4, 0, 0.01",
    "3, 1, 0.3",
    "4, 10, 0.3",
    "3, 1000, 1e-9",
    "3, 100000, 0.01",
    "4, 100000, 0.01",
    "3, 100000, 0.4",
    "4, 100000, 1e-6",
  })
  void answersAsTheFuseFilter(int arity, int keys, double fpp) throws IOException {
    FuseFilterBuilder<Long> builder = FuseFilter.<Long>builder(KeyHasher.longs()).arity(arity);
    Keys.hashes(1, keys).forEach(builder::putHash);
    assertTwin(builder.fpp(fpp).build(), Kind.FUSE, 20_000);
  }

  @Test
  void answersAsTheFuseFilterOfSeveralShards() throws IOException {
    int keys = 1 << 22;
    FuseFilterBuilder<Long> builder = FuseFilter.builder(KeyHasher.longs());
    Keys.hashes(1, keys).forEach(builder::putHash);
    FuseFilter<Long> filter = builder.fpp(0.1).build();
    assertThat(filter.shards()).isEqualTo(2);
    assertTwin(filter, Kind.FUSE, 20_000);
  }

  private static void assertTwin(HashedFilter<Long> filter, Kind kind, int queries)
      throws IOException {
    byte[] bytes = ((Storable) filter).toByteArray();
    for (int partBytes : PART_BYTES) {
      FilterView<Long> view = FilterView.of(Parts.of(bytes, partBytes), KeyHasher.longs());

      LongStream asked = LongStream.concat(Keys.hashes(1, queries), Keys.hashes(2, queries));
      assertThat(asked)
          .allMatch(hash -> view.mightContainHash(hash) == filter.mightContainHash(hash));
      assertThat(view.kind()).isEqualTo(kind);
      assertThat(view.hashId()).isEqualTo(filter.hashId());
      assertThat(view.hashOf(7L)).isEqualTo(filter.hashOf(7L));
      assertThat(view.mightContain(7L)).isEqualTo(filter.mightContain(7L));
      assertThat(view.expectedFpp()).isEqualTo(filter.expectedFpp());
      assertThat(view.approximateElementCount()).isEqualTo(filter.approximateElementCount());
      assertThat(view.bitSize()).isEqualTo(filter.bitSize());
      assertThat(view.serializedSize()).isEqualTo(bytes.length);
      assertThat(view.toByteArray()).isEqualTo(bytes);
      view.verifyChecksum();
    }
  }

  @Test
  void takesDirectAndSlicedBuffersOfEitherByteOrder() throws IOException {
    BloomFilter<Long> filter = filter();
    byte[] bytes = ((Storable) filter).toByteArray();
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length + 13).order(ByteOrder.BIG_ENDIAN);
    direct.position(5).limit(5 + bytes.length);
    direct.put(bytes).position(5);

    FilterView<Long> view = FilterView.of(List.of(direct), KeyHasher.longs());

    assertThat(direct.position()).isEqualTo(5);
    assertThat(Keys.hashes(2, 10_000))
        .allMatch(hash -> view.mightContainHash(hash) == filter.mightContainHash(hash));
    assertThat(view.toByteArray()).isEqualTo(bytes);
  }

  @Test
  void doesNotCopy() throws IOException {
    byte[] bytes = filter().toByteArray();
    FilterView<Long> view = FilterView.of(Parts.of(bytes, 64), KeyHasher.longs());
    long present = Keys.hashes(1, 1).findFirst().orElseThrow();
    assertThat(view.mightContainHash(present)).isTrue();
    Arrays.fill(bytes, 128, bytes.length, (byte) 0);
    assertThat(view.mightContainHash(present)).isFalse();
    refuses(FormatException.class, view::verifyChecksum, "checksum at byte " + (bytes.length - 4));
  }

  @Test
  void askedByManyThreadsItAnswersAll() throws IOException {
    BloomFilter<Long> filter = filter();
    FilterView<Long> view =
        FilterView.of(Parts.of(((Storable) filter).toByteArray(), 64), KeyHasher.longs());
    AtomicLong found = new AtomicLong();
    Race.run(
        4, thread -> found.addAndGet(Keys.hashes(1, 1_000).filter(view::mightContainHash).count()));
    assertThat(found).hasValue(4_000);
  }

  @Test
  void theKeyOfTheHashMustBeTheRightOne() throws IOException {
    HashKey key = HashKey.of(new byte[HashKey.BYTES]);
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs().keyedBy(key), 100, 0.01);
    filter.put(42L);
    List<ByteBuffer> parts = Parts.of(((Storable) filter).toByteArray(), 64);

    assertThat(FilterView.<Long>of(parts, KeyHasher.longs().keyedBy(key)).mightContain(42L))
        .isTrue();
    refuses(
        FormatException.class,
        () -> FilterView.<Long>of(parts, KeyHasher.longs()),
        "hash at byte 24");
  }

  @Test
  void printsWhatItIs() throws IOException {
    FilterView<Long> view = FilterView.of(Parts.of(filter().toByteArray(), 64), KeyHasher.longs());
    assertThat(view.toString())
        .startsWith("FilterView(kind=bloom, bits=")
        .contains("bytes=" + view.serializedSize());
  }

  private static BloomFilter<Long> filter() {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), 1_000, 0.01);
    Keys.hashes(1, 1_000).forEach(filter::putHash);
    return filter;
  }
}
