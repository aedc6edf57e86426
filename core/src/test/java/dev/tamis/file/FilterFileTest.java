package dev.tamis.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Filter;
import dev.tamis.Storable;
import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.format.FormatException;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.hash.HashId.Algorithm;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.ForeignFilters;
import dev.tamis.interop.GuavaBloomFilter;
import dev.tamis.interop.SparkBloomFilter;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterFileTest {

  @TempDir Path directory;

  @Test
  void readsWhatItSaved() throws IOException {
    BloomFilter<Long> filter = filter();
    FilterFile.save(path(), filter);
    assertThat(Files.size(path())).isEqualTo(filter.serializedSize());
    assertThat(FilterFile.<Long>load(path(), KeyHasher.longs())).isEqualTo(filter);
  }

  @Test
  void readsFiltersThatGrow() throws IOException {
    ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(KeyHasher.longs(), 10, 0.01);
    for (long key = 0; key < 1000; key++) {
      filter.put(key);
    }
    FilterFile.save(path(), filter);
    assertThat(FilterFile.<Long>load(path(), KeyHasher.longs())).isEqualTo(filter);
  }

  @Test
  void aWindowOfTimeGoesOnByTheClockOfTheSystem() throws IOException {
    FilterFile.save(path(), windowAt(InstantSource.system()));
    assertThat(FilterFile.<Long>load(path(), KeyHasher.longs()).mightContain(42L)).isTrue();
    FilterFile.save(path(), windowAt(InstantSource.fixed(Instant.EPOCH)));
    assertThat(FilterFile.<Long>load(path(), KeyHasher.longs()).mightContain(42L)).isFalse();
  }

  private static WindowedBloomFilter<Long> windowAt(InstantSource clock) {
    WindowedBloomFilter<Long> filter =
        WindowedBloomFilter.<Long>builder(KeyHasher.longs())
            .window(Duration.ofDays(1000))
            .expectedKeys(10)
            .fpp(0.01)
            .clock(clock)
            .build();
    filter.put(42L);
    return filter;
  }

  @Test
  void readsForManyThreads() throws IOException {
    FilterFile.save(path(), filter());
    BloomFilter<Long> loaded = FilterFile.loadBloom(path(), KeyHasher.longs());
    assertThat(loaded.isThreadSafe()).isTrue();
    assertThat(loaded).isEqualTo(filter());
  }

  @Test
  void aFilterThatGrowsIsNotForManyThreads() throws IOException {
    FilterFile.save(path(), ScalableBloomFilter.<Long>create(KeyHasher.longs(), 10, 0.01));
    assertThatThrownBy(() -> FilterFile.<Long>loadBloom(path(), KeyHasher.longs()))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith(path() + ": not a valid filter: kind");
  }

  @Test
  void aFailureWhileWritingKeepsTheOldFileAndLeavesNoOther() throws IOException {
    FilterFile.save(path(), filter());
    byte[] before = Files.readAllBytes(path());

    assertThatThrownBy(() -> FilterFile.save(path(), new FailingFilter()))
        .isInstanceOf(IOException.class)
        .hasMessage("the middle of it");

    assertThat(Files.readAllBytes(path())).isEqualTo(before);
    assertThat(names()).containsExactly("filter");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> FilterFile.<Long>load(path(), KeyHasher.longs()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(path().toString());
  }

  @Test
  void aDamagedFileIsNamedWithTheOffset() throws IOException {
    FilterFile.save(path(), filter());
    byte[] bytes = Files.readAllBytes(path());
    bytes[200] ^= 1;
    Files.write(path(), bytes);
    assertThatThrownBy(() -> FilterFile.<Long>load(path(), KeyHasher.longs()))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith(path() + ": not a valid filter: checksum at byte ")
        .hasCauseInstanceOf(FormatException.class);
  }

  @Test
  void oneByteTooManyIsRefused() throws IOException {
    FilterFile.save(path(), filter());
    byte[] bytes = Files.readAllBytes(path());
    Files.write(path(), Arrays.copyOf(bytes, bytes.length + 1));
    assertThatThrownBy(() -> FilterFile.<Long>load(path(), KeyHasher.longs()))
        .hasMessage(
            path()
                + ": not a valid filter: end at byte "
                + bytes.length
                + ": expected no more bytes, got more");
  }

  @Test
  void aFileThatClaimsMoreThanItHoldsIsRefused() throws IOException {
    FilterFile.save(path(), filter());
    byte[] bytes = Files.readAllBytes(path());
    Files.write(path(), Arrays.copyOf(bytes, 140));
    assertThatThrownBy(() -> FilterFile.<Long>load(path(), KeyHasher.longs()))
        .hasMessageContaining("payload length at byte 16: expected at most 140 bytes");
  }

  private Path path() {
    return directory.resolve("filter");
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static BloomFilter<Long> filter() {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), 1000, 0.01);
    for (long key = 0; key < 1000; key++) {
      filter.put(key);
    }
    return filter;
  }

  private static final class FailingFilter implements Storable {
    @Override
    public Kind kind() {
      return Kind.BLOOM;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(new byte[1000]);
      throw new IOException("the middle of it");
    }

    @Override
    public long serializedSize() {
      return 1;
    }
  }

  @Test
  void theRuleOfItsKeysStaysWithAFilter() throws IOException {
    record Ruled(String rule) implements KeyHasher<Long> {
      @Override
      public long hash(Long key, HashFunction function) {
        return KeyHasher.longs().hash(key, function);
      }
    }
    String rule = "-".repeat(60);
    BloomFilter<Long> plain = BloomFilter.create(new Ruled(rule).keyedBy(KEY), 100, 0.01);
    ScalableBloomFilter<Long> growing = ScalableBloomFilter.create(new Ruled(rule), 100, 0.01);
    RibbonFilter<Long> ribbon = RibbonFilter.<Long>builder(new Ruled(rule)).fpp(0.01).build();
    String shorter = rule.substring(8); // beside the two more parameters of a fuse filter
    FuseFilter<Long> fuse = FuseFilter.<Long>builder(new Ruled(shorter)).fpp(0.01).build();
    for (Storable filter : List.of(plain, growing, ribbon, fuse)) {
      FilterFile.save(path(), filter);
      assertThat(FilterFile.keyType(path())).isEqualTo(filter == fuse ? shorter : rule);
      KeyHasher<Long> longs = KeyHasher.longs();
      Filter<Long> read = FilterFile.load(path(), filter == plain ? longs.keyedBy(KEY) : longs);
      assertThat(((Storable) read).toByteArray()).isEqualTo(filter.toByteArray());
    }
    for (String wrong : List.of(rule + "-", "\t")) {
      assertThatThrownBy(() -> BloomFilter.create(new Ruled(wrong), 100, 0.01))
          .hasMessageContaining("rule must be at most 60 characters of ASCII");
    }
    FuseFilter<Long> tooLong = FuseFilter.<Long>builder(new Ruled("-" + shorter)).fpp(0.1).build();
    assertThatThrownBy(tooLong::toByteArray)
        .hasMessageContaining("rule must have at most 52 characters in a fuse filter");
  }

  @Test
  void aForeignFilterComesBack() throws IOException {
    GuavaBloomFilter<Long> filter = GuavaBloomFilter.create(KeyHasher.longs(), 100, 0.01);
    filter.put(42L);
    FilterFile.save(path(), filter);
    assertThat(FileHeader.read(path()).kind()).isEqualTo(Kind.FOREIGN);
    assertThat(FilterFile.<Long>load(path(), KeyHasher.longs())).isEqualTo(filter);
    assertThat(FileHeader.read(path()))
        .isEqualTo(new FileHeader(Kind.FOREIGN, new HashId(HashId.Algorithm.MURMUR3_128, 0)));
  }

  @Test
  void oneWithAHashOf64BitsIsAFilterLikeOurs() throws IOException {
    SparkBloomFilter<Long> filter = SparkBloomFilter.create(KeyHasher.longs(), 100, 0.01, 7);
    filter.put(42L);
    FilterFile.save(path(), filter);
    assertThat(FilterFile.<Long>load(path(), KeyHasher.longs())).isEqualTo(filter);
    assertThat(FileHeader.read(path()).hashId().number()).isEqualTo(7);
  }

  @Test
  void oneOfOursIsRefusedWhereAForeignOneIsWanted() throws IOException {
    FilterFile.save(path(), BloomFilter.create(KeyHasher.longs(), 100, 0.01));
    assertThat(FileHeader.read(path()).kind()).isEqualTo(Kind.BLOOM);
    try (InputStream in = Files.newInputStream(path())) {
      assertThatThrownBy(() -> ForeignFilters.readFrom(in, KeyHasher.longs(), 1 << 20))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("kind at byte 10: expected 10, got 1");
    }
  }

  @Test
  void whatIsCutOffOrGoesOnIsRefused() throws IOException {
    FilterFile.save(path(), GuavaBloomFilter.create(KeyHasher.longs(), 100, 0.01));
    byte[] bytes = Files.readAllBytes(path());
    for (int length : new int[] {bytes.length - 1, bytes.length + 1}) {
      Files.write(path(), Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> FilterFile.load(path(), KeyHasher.longs()))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining(path().toString());
    }
  }

  private static final HashKey KEY = HashKey.of(new byte[HashKey.BYTES]);

  @Test
  void saysTheKindAndTheSeed() throws IOException {
    assertThat(
            headerOf(
                BloomFilter.<Long>builder(KeyHasher.longs())
                    .expectedKeys(10)
                    .fpp(0.01)
                    .seed(-7)
                    .build()))
        .isEqualTo(new FileHeader(Kind.BLOOM, new HashId(Algorithm.XXH3, -7)));
  }

  @Test
  void saysTheIdOfAKeyThatItDoesNotHave() throws IOException {
    KeyHasher<Long> keyed = KeyHasher.longs().keyedBy(KEY);
    HashId hashId = new HashId(Algorithm.SIPHASH, KEY.id());
    assertThat(headerOf(BloomFilter.create(keyed, 10, 0.01)))
        .isEqualTo(new FileHeader(Kind.BLOOM, hashId));
    assertThat(headerOf(ScalableBloomFilter.create(keyed, 10, 0.01)))
        .isEqualTo(new FileHeader(Kind.SCALABLE_BLOOM, hashId));
  }

  @Test
  void sketchesHaveOneTooAndAreReadBack() throws IOException {
    CountMinSketch<Long> counts = CountMinSketch.create(KeyHasher.longs(), 0.1, 0.1);
    DistinctCounter<Long> distinct = DistinctCounter.create(KeyHasher.longs(), 5);
    counts.put(42L);
    distinct.put(42L);
    assertThat(headerOf(counts).kind()).isEqualTo(Kind.COUNT_MIN);
    assertThat(FilterFile.<Long>loadCountMin(path(), KeyHasher.longs())).isEqualTo(counts);
    assertThat(headerOf(distinct).kind()).isEqualTo(Kind.DISTINCT);
    assertThat(FilterFile.<Long>loadDistinct(path(), KeyHasher.longs())).isEqualTo(distinct);
    assertThatThrownBy(() -> FilterFile.<Long>loadCountMin(path(), KeyHasher.longs()))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith(path() + ": not a valid sketch: kind");
  }

  @Test
  void whatFollowsTheHeaderDoesNotMatter() throws IOException {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), 10, 0.01);
    byte[] bytes = filter.toByteArray();
    Files.write(path(), Arrays.copyOf(bytes, bytes.length - 1));
    assertThat(FileHeader.read(path()).kind()).isEqualTo(Kind.BLOOM);
  }

  @Test
  void aFileWithoutOneIsNamed() throws IOException {
    assertThatThrownBy(() -> FileHeader.read(path())).isInstanceOf(NoSuchFileException.class);
    Files.write(path(), new byte[1000]);
    assertThatThrownBy(() -> FileHeader.read(path()))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith(path() + ": not a valid filter: magic");
  }

  private FileHeader headerOf(Storable stored) throws IOException {
    Files.write(path(), stored.toByteArray());
    return FileHeader.read(path());
  }
}
