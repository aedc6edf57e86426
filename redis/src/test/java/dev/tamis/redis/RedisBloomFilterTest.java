package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tamis.Keys;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What is particular to a filter in a server: its bytes, its shards and its names. */
class RedisBloomFilterTest {

  private final JedisLink link = TestServer.sharedLink();
  private final String name = TestServer.newName();

  private RedisBloomFilterBuilder<Long> builder() {
    return RedisBloomFilter.<Long>builder(link, name, KeyHasher.longs());
  }

  @ParameterizedTest
  @EnumSource
  void whatIsDownloadedIsTheFileOfALocalFilterWithTheSameKeys(Layout layout) throws IOException {
    RedisBloomFilter<Long> filter =
        builder().layout(layout).expectedKeys(10_000).fpp(0.01).create();
    BloomFilter<Long> local = TestFilters.like(filter);
    TestFilters.fill(filter, 1, 5_000);
    Keys.hashes(1, 5_000).forEach(local::putHash);

    assertThat(filter.toByteArray()).isEqualTo(local.toByteArray());
    assertThat(filter.serializedSize()).isEqualTo(local.serializedSize());
    BloomFilter<Long> read =
        BloomFilter.readFrom(
            new ByteArrayInputStream(filter.toByteArray()), KeyHasher.longs(), 1 << 20);
    assertThat(read).isEqualTo(local);
  }

  @ParameterizedTest
  @CsvSource({"1, 16777216", "7, 4096", "29, 1000", "13, 65536"})
  void aFileBuiltOfflineIsUploadedUnchangedIntoALiveFilter(int keysInThousands, long shardBytes) {
    long keys = keysInThousands * 1_000L;
    RedisBloomFilter<Long> filter =
        builder().expectedKeys(keys).fpp(0.01).shardBytes(shardBytes).create();
    BloomFilter<Long> both = TestFilters.like(filter);
    BloomFilter<Long> uploaded = TestFilters.like(filter);
    long[] hashes = Keys.hashes(1, keys / 2).toArray();
    filter.putHashes(hashes, hashes.length, new boolean[hashes.length]);
    Keys.hashes(1, keys / 2).forEach(both::putHash);
    Keys.hashes(2, keys / 2)
        .forEach(
            hash -> {
              both.putHash(hash);
              uploaded.putHash(hash);
            });

    filter.putAll(uploaded);

    assertThat(filter.toByteArray()).isEqualTo(both.toByteArray());
    assertThat((double) filter.acceptedKeys()).isBetween(0.9 * keys, 1.1 * keys);
    assertThat(TestServer.shared().command("KEYS", name + ":*:in:*"))
        .isEqualTo(new Reply.Numbers(List.of()));
  }

  @Test
  void expectedWrongDropsOfSeveralWritersAddUpToTheDropsThereAre() {
    int keys = 30_000;
    try (JedisLink link = TestServer.shared().link()) {
      String shared = TestServer.newName();
      List<RedisBloomFilter<Long>> writers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        writers.add(TestFilters.builder(link, shared, 20_000, 0.05).createOrOpen());
      }
      int dropped = 0;
      for (int from = 0; from < keys; from += 100) {
        long[] hashes = Keys.hashes(from, 100).toArray();
        boolean[] isNew = new boolean[100];
        writers.get(from / 100 % 3).putHashes(hashes, 100, isNew);
        for (boolean taken : isNew) {
          dropped += taken ? 0 : 1;
        }
      }
      double expected = writers.stream().mapToDouble(RedisBloomFilter::expectedWrongDrops).sum();
      assertThat(dropped).isGreaterThan(500);
      assertThat(expected).isCloseTo(dropped, within(5 * Math.sqrt(dropped) + 0.03 * dropped));
      assertThat(writers.get(0).expectedWrongDrops()).isGreaterThan(expected / 4);
    }
  }

  @Test
  void aFilterOfSeveralChunksGoesUpAndComesDown() {
    RedisBloomFilter<Long> filter =
        builder()
            .layout(Layout.SPLIT)
            .expectedKeys(3_000_000)
            .fpp(0.01)
            .shardBytes(1_500_000)
            .create();
    BloomFilter<Long> local = TestFilters.like(filter);
    Keys.hashes(1, 300_000).forEach(local::putHash);
    filter.putAll(local);
    assertThat(filter.shards()).isEqualTo(3);
    assertThat(filter.toByteArray()).isEqualTo(local.toByteArray());
  }

  @Test
  void anotherObjectOfTheSameNameIsTheSameFilter() {
    RedisBloomFilter<Long> one = builder().expectedKeys(1_000).fpp(0.01).create();
    assertThat(one.put(1L)).isTrue();
    RedisBloomFilter<Long> other = TestFilters.open(link, name);
    assertThat(other.put(1L)).isFalse();
    assertThat(other.mightContain(1L)).isTrue();
    assertThat(other.put(2L)).isTrue();
    assertThat(one.mightContain(2L)).isTrue();
    assertThat(other.acceptedKeys()).isEqualTo(2);
    assertThat(other.expectedKeys()).isEqualTo(1_000);
    assertThat(other.fpp()).isEqualTo(0.01);
    assertThat(other.shape()).isEqualTo(one.shape());
  }

  @Test
  void otherParametersAreRefusedByTheNameOfTheField() {
    builder().expectedKeys(1_000).fpp(0.01).create();
    refuses(
        FilterMismatchException.class,
        () -> builder().expectedKeys(2_000).fpp(0.01).createOrOpen(),
        "bits differs");
    refuses(
        FilterMismatchException.class,
        () -> builder().expectedKeys(1_000).fpp(0.01).seed(1).createOrOpen(),
        "seed differs");
    refuses(
        FilterMismatchException.class,
        () -> builder().layout(Layout.CLASSIC).expectedKeys(1_000).fpp(0.01).createOrOpen(),
        "layout differs: line in the server and classic here");
    refuses(FilterExistsException.class, () -> builder().expectedKeys(1_000).fpp(0.01).create());
  }

  @Test
  void aFileKeepsItsBytesOnTheServerAndIsOpenedByItsKeysAndFpp() {
    BloomFilter<Long> file = BloomFilter.create(KeyHasher.longs(), 1_000, 0.01);
    Keys.hashes(1, 500).forEach(file::putHash);
    builder().createOrReplace(file);

    RedisBloomFilter<Long> opened = builder().expectedKeys(1_000).fpp(0.01).createOrOpen();
    assertThat(opened.toByteArray()).isEqualTo(file.toByteArray());
    opened.putAll(file);
    assertThat(opened.toByteArray()).isEqualTo(file.toByteArray());
    refuses(
        FilterMismatchException.class,
        () -> builder().layout(Layout.LINE).expectedKeys(1_000).fpp(0.01).createOrOpen(),
        "layout differs: split in the server and line here");
    refuses(
        FilterMismatchException.class,
        () -> builder().expectedKeys(1_000).fpp(0.02).createOrOpen());
    refuses(
        () -> builder().expectedKeys(1_001).createOrReplace(file),
        "expectedKeys: must be that of the filled one, 1000, got 1001");
    refuses(
        () -> builder().fpp(0.02).createOrReplace(file),
        "fpp: must be that of the filled one, 0.01, got 0.02");
    refuses(
        FilterMismatchException.class,
        () -> builder().expectedKeys(1_000).fpp(0.01).seed(1).createOrOpen());
  }

  @Test
  void aFileOfAnotherShapeIsNotMergedButRefusedWithWhatBothNeed() {
    RedisBloomFilter<Long> filter = builder().expectedKeys(1_000).fpp(0.01).create();
    BloomFilter<Long> file = BloomFilter.create(KeyHasher.longs(), 1_000, 0.01);
    file.put(1L);
    refuses(
        () -> filter.putAll(file), "layout differs: line in the server and split here; both need");
    assertThat(filter.mightContain(1L)).isFalse();
  }
}
