package dev.tamis.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Storable;
import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashId;
import dev.tamis.hash.HashId.Algorithm;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileHeaderTest {

  private static final HashKey KEY = HashKey.of(new byte[HashKey.BYTES]);

  @TempDir Path directory;

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

  private Path path() {
    return directory.resolve("file");
  }
}
