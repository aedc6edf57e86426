package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Files once written are read for ever, and the same keys make the same bytes everywhere. */
class GoldenFilesTest {

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void sameKeysMakeTheSameBytes(String name) throws IOException {
    assertThat(Bytes.of(GoldenFiles.filter(name))).isEqualTo(GoldenFiles.read(name));
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void fileIsReadAndWritesItselfBack(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    HashedFilter<CharSequence> read = Bytes.read(file);
    assertThat(read).isEqualTo(GoldenFiles.filter(name));
    assertThat(Bytes.of(read)).isEqualTo(file);
    assertThat(((Storable) read).serializedSize()).isEqualTo(file.length);
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void keysOfTheFileAreInIt(String name) throws IOException {
    HashedFilter<CharSequence> read = Bytes.read(GoldenFiles.read(name));
    assertThat(IntStream.range(0, GoldenFiles.KEYS).mapToObj(GoldenFiles::key))
        .allMatch(read::mightContain);
    // 1 % of 10,000 and five standard deviations
    assertThat(IntStream.range(1_000, 11_000).mapToObj(GoldenFiles::key).filter(read::mightContain))
        .hasSizeLessThan(150);
  }

  /** Down to the keys that are said to be there and are not. */
  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void referenceReadsItToo(String name) throws Exception {
    byte[] file = GoldenFiles.read(name);
    HashedFilter<CharSequence> read = Bytes.read(file);
    ReferenceFilter reference = ReferenceFilter.read(file, Instant.EPOCH);
    assertThat(hashes(0, GoldenFiles.KEYS)).allMatch(reference::mightContain);
    assertThat(hashes(1_000, 21_000))
        .allMatch(hash -> reference.mightContain(hash) == read.mightContainHash(hash));
  }

  @ParameterizedTest
  @CsvSource({
    "v1-classic, CLASSIC, 7",
    "v1-partitioned, PARTITIONED, 7",
    "v1-line, LINE, 6",
    "v1-split, SPLIT, 8",
    "v1-split-16, SPLIT, 16",
    "v1-split-pair, SPLIT_PAIR, 16",
    "v1-split-pair-32, SPLIT_PAIR, 32",
  })
  void settingsComeBack(String name, Layout layout, int hashes) throws IOException {
    BloomFilter<CharSequence> read =
        BloomFilter.readFrom(
            new ByteArrayInputStream(GoldenFiles.read(name)), KeyHasher.text(), Bytes.LIMIT);
    assertThat(read.shape().layout()).isEqualTo(layout);
    assertThat(read.shape().hashes()).isEqualTo(hashes);
    assertThat(read.hashId().number()).isEqualTo(GoldenFiles.SEED);
    assertThat(read.expectedKeys()).isEqualTo(GoldenFiles.KEYS);
    assertThat(read.fpp()).isEqualTo(GoldenFiles.FPP);
    assertThat(read.isThreadSafe()).isTrue();
  }

  @Test
  void settingsOfTheScalableFilterComeBack() throws IOException {
    ScalableBloomFilter<CharSequence> read =
        ScalableBloomFilter.readFrom(
            new ByteArrayInputStream(GoldenFiles.read("v1-scalable")),
            KeyHasher.text(),
            Bytes.LIMIT);
    assertThat(read.fpp()).isEqualTo(GoldenFiles.FPP);
    assertThat(read.hashId().number()).isEqualTo(GoldenFiles.SEED);
    assertThat(read.stages()).extracting(BloomFilter::expectedKeys).containsExactly(20L, 40L, 80L);
  }

  @Test
  void everyFileIsInTheList() throws IOException {
    Path folder = Path.of("src", "test", "resources", "golden");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(GoldenFiles.names(), GoldenFiles.SKETCHES.stream())
                  .map(name -> name + ".tamis")
                  .toList());
    }
  }

  /** Numbers of kinds are in files; none of them may ever change. */
  @ParameterizedTest
  @CsvSource({
    "BLOOM, 1, bloom",
    "SCALABLE_BLOOM, 2, scalable",
    "COUNTING_BLOOM, 3, counting",
    "CUCKOO, 4, cuckoo",
    "WINDOWED_BLOOM, 5, windowed",
    "FUSE, 6, fuse",
    "RIBBON, 7, ribbon",
    "COUNT_MIN, 8, count-min",
    "DISTINCT, 9, distinct",
    "FOREIGN, 10, foreign",
  })
  void kindsAreFrozen(Kind kind, int id, String label) {
    assertThat(kind.id()).isEqualTo(id);
    assertThat(kind.label()).isEqualTo(label);
    assertThat(Kind.values()).hasSize(10);
  }

  private static List<Long> hashes(int start, int end) {
    return IntStream.range(start, end)
        .mapToObj(i -> ReferencePositions.hashOfText(GoldenFiles.SEED, GoldenFiles.key(i)))
        .toList();
  }
}
