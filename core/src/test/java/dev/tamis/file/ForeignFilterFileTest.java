package dev.tamis.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.filter.BloomFilter;
import dev.tamis.format.FormatException;
import dev.tamis.format.Kind;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.ForeignFilters;
import dev.tamis.interop.GuavaBloomFilter;
import dev.tamis.interop.SparkBloomFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other programs' filters in our files, which are filters like others. */
class ForeignFilterFileTest {

  @TempDir Path directory;

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

  private Path path() {
    return directory.resolve("filter");
  }
}
