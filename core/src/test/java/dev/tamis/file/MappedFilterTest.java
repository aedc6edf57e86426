package dev.tamis.file;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashedFilter;
import dev.tamis.Sized.Capacity;
import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.FilterView;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.FuseFilterBuilder;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters queried in a mapped file. */
class MappedFilterTest {

  private static final int KEYS = 10_000;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void answersAsTheFilterThatIsRead(Layout layout) throws IOException {
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(layout)
            .expectedKeys(KEYS)
            .fpp(0.01)
            .build();
    LongStream.range(0, KEYS).forEach(filter::put);
    assertTwin(filter);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void answersAsTheFuseFilterThatIsRead(int arity) throws IOException {
    FuseFilterBuilder<Long> builder = FuseFilter.<Long>builder(KeyHasher.longs()).arity(arity);
    LongStream.range(0, KEYS).forEach(builder::put);
    assertTwin(builder.fpp(0.01).build());
  }

  private void assertTwin(HashedFilter<Long> filter) throws IOException {
    FilterFile.save(path(), (Storable) filter);
    // buffers need not begin where a page of memory does, nor end there
    for (int partBytes : new int[] {512, 4096, 1 << 20}) {
      FilterView<Long> mapped = FilterFile.map(path(), KeyHasher.longs(), partBytes);
      assertThat(LongStream.range(0, 3 * KEYS))
          .allMatch(key -> mapped.mightContain(key) == filter.mightContain(key));
      assertThat(mapped.expectedFpp()).isEqualTo(filter.expectedFpp());
      assertThat(mapped.approximateElementCount()).isEqualTo(filter.approximateElementCount());
      assertThat(Capacity.of(mapped)).isEqualTo(Capacity.of(filter));
      mapped.verifyChecksum();
      Path copy = directory.resolve("copy");
      FilterFile.save(copy, mapped);
      assertThat(copy).hasSameBinaryContentAs(path());
    }
  }

  @Test
  void aFileThatIsReplacedStaysTheOldOneWhereItIsMapped() throws IOException {
    FilterFile.save(path(), filter(42));
    FilterView<Long> mapped = FilterFile.map(path(), KeyHasher.longs());
    FilterFile.save(path(), filter(7));
    assertThat(mapped.mightContain(42L)).isTrue();
    assertThat(mapped.mightContain(7L)).isFalse();
    assertThat(FilterFile.<Long>map(path(), KeyHasher.longs()).mightContain(7L)).isTrue();
  }

  @Test
  void otherKindsAreNamedAndNotDamage() throws IOException {
    FilterFile.save(path(), ScalableBloomFilter.<Long>create(KeyHasher.longs(), 10, 0.01));
    assertThatThrownBy(() -> FilterFile.<Long>map(path(), KeyHasher.longs()))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(
            path()
                + ": is of kind scalable, which cannot be mapped and has to be read in; bloom and"
                + " fuse can")
        .hasNoCause();
    FilterFile.save(path(), CountingBloomFilter.<Long>create(KeyHasher.longs(), 10, 0.01));
    assertThatThrownBy(() -> FilterFile.<Long>map(path(), KeyHasher.longs()))
        .hasMessageContaining("is of kind counting");
  }

  @Test
  void whatIsNoFileIsRefused() throws IOException {
    assertThatThrownBy(() -> FilterFile.<Long>map(path(), KeyHasher.longs()))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(path().toString());
    assertThatThrownBy(() -> FilterFile.<Long>map(directory, KeyHasher.longs()))
        .isInstanceOf(FileSystemException.class)
        .hasMessage(directory + ": is not a regular file, and only those can be mapped");
    Files.createFile(path());
    assertThatThrownBy(() -> FilterFile.<Long>map(path(), KeyHasher.longs()))
        .isInstanceOf(FileSystemException.class)
        .hasMessageStartingWith(path() + ": not a valid filter: header at byte 0");
  }

  @Test
  void aFileThatIsCutOrGoesOnIsRefused() throws IOException {
    FilterFile.save(path(), filter(42));
    byte[] bytes = Files.readAllBytes(path());
    for (int length : new int[] {100, 128, 500, bytes.length - 1, bytes.length + 1}) {
      Files.write(path(), Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> FilterFile.<Long>map(path(), KeyHasher.longs()))
          .isInstanceOf(FileSystemException.class)
          .hasMessageStartingWith(path() + ": not a valid filter: ")
          .hasCauseInstanceOf(FormatException.class);
    }
  }

  @Test
  void damageIsFoundWhenItIsAskedFor() throws IOException {
    FilterFile.save(path(), filter(42));
    byte[] bytes = Files.readAllBytes(path());
    bytes[200] ^= 1;
    Files.write(path(), bytes);
    FilterView<Long> mapped = FilterFile.map(path(), KeyHasher.longs());
    assertThatThrownBy(mapped::verifyChecksum)
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith("not a valid filter: checksum at byte " + (bytes.length - 4));
  }

  /** What is done to a file behind our back must not take the JVM down. */
  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "Windows does not shorten a mapped file")
  void aFileThatIsMadeShorterIsAnErrorOfTheJvm() throws IOException {
    FilterFile.save(path(), BloomFilter.<Long>create(KeyHasher.longs(), 1_000_000, 0.01));
    FilterView<Long> mapped = FilterFile.map(path(), KeyHasher.longs());
    try (FileChannel channel = FileChannel.open(path(), StandardOpenOption.WRITE)) {
      channel.truncate(1 << 14);
    }
    // a loop, because the error may come after the answer
    refuses(InternalError.class, () -> LongStream.range(0, 100_000).forEach(mapped::mightContain));
    refuses(InternalError.class, () -> repeat(mapped::verifyChecksum));
    refuses(
        InternalError.class, () -> repeat(() -> mapped.writeTo(OutputStream.nullOutputStream())));
    refuses(InternalError.class, () -> repeat(mapped::expectedFpp));
    refuses(InternalError.class, () -> repeat(mapped::approximateElementCount));
  }

  private static void repeat(Reading reading) throws IOException {
    for (int i = 0; i < 100; i++) {
      try {
        reading.run();
      } catch (FormatException e) {
        assertThat(e).hasMessageContaining("checksum"); // of what was read instead
      }
    }
  }

  /** Past 2 GiB, where no buffer and no int reaches. */
  @Tag("thorough")
  @ParameterizedTest
  @EnumSource
  void answersPastTwoGigabytes(Layout layout) throws IOException {
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(layout)
            .bits(19_000_000_000L)
            .hashes(Math.max(8, layout.minHashes()))
            .build();
    LongStream.range(0, 1_000_000).forEach(filter::put);
    FilterFile.save(path(), (Storable) filter);
    assertThat(Files.size(path())).isGreaterThan(1L << 31);

    FilterView<Long> mapped = FilterFile.map(path(), KeyHasher.longs());

    assertThat(LongStream.range(0, 2_000_000))
        .allMatch(key -> mapped.mightContain(key) == filter.mightContain(key));
    assertThat(mapped.approximateElementCount()).isEqualTo(filter.approximateElementCount());
    assertThat(mapped.expectedFpp()).isEqualTo(filter.expectedFpp());
    mapped.verifyChecksum();
  }

  private static BloomFilter<Long> filter(long key) {
    BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), 1_000, 1e-6);
    filter.put(key);
    return filter;
  }

  private Path path() {
    return directory.resolve("filter");
  }

  private interface Reading {
    void run() throws IOException;
  }
}
