package dev.tamis.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files that other programs have written stay readable. To write them:
 *
 * <pre>{@code
 * mvn -q -B -pl core test -Dtest=ForeignGoldenTest -Dtamis.golden=write
 * }</pre>
 */
class ForeignGoldenTest {

  private static final Path RESOURCES = Path.of("src", "test", "resources");

  @ParameterizedTest
  @EnumSource
  void theOtherProgramMakesTheSameBytesToday(ForeignGolden golden) {
    assertThat(golden.madeThere()).isEqualTo(golden.read(false));
  }

  @ParameterizedTest
  @EnumSource
  void theFileIsReadAndWritesItselfBack(ForeignGolden golden) throws IOException {
    ForeignFilter<String> filter = foreign(golden);
    assertThat(filter.toForeignBytes()).isEqualTo(golden.read(false));
    assertThat(filter.toByteArray()).isEqualTo(golden.read(true));
  }

  @ParameterizedTest
  @EnumSource
  void theFrameIsReadAndHoldsTheFile(ForeignGolden golden) throws IOException {
    byte[] frame = golden.read(true);
    ForeignFilter<String> filter =
        ForeignFilters.readFrom(new ByteArrayInputStream(frame), text(), frame.length);
    assertThat(filter).isEqualTo(foreign(golden));
    assertThat(filter.format()).isEqualTo(golden.format());
  }

  @ParameterizedTest
  @EnumSource
  void keysOfTheFileAreInIt(ForeignGolden golden) throws IOException {
    ForeignFilter<String> filter = foreign(golden);
    assertThat(IntStream.range(0, ForeignGolden.KEYS).mapToObj(ForeignGolden::key))
        .allMatch(filter::mightContain);
    assertThat(
            IntStream.range(1_000, 11_000)
                .mapToObj(ForeignGolden::key)
                .filter(filter::mightContain))
        .hasSizeLessThan(250);
    assertThat(filter.approximateElementCount().low()).isLessThanOrEqualTo(ForeignGolden.KEYS);
    assertThat(filter.approximateElementCount().high()).isGreaterThanOrEqualTo(ForeignGolden.KEYS);
  }

  @Test
  void everyFileIsInTheList() throws IOException {
    try (Stream<Path> files = Files.list(RESOURCES.resolve("interop"))) {
      assertThat(files.filter(Files::isRegularFile).map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.of(ForeignGolden.values())
                  .flatMap(golden -> Stream.of(golden.fileName(false), golden.fileName(true)))
                  .toList());
    }
  }

  /** Numbers of formats are in files; none of them may ever change. */
  @ParameterizedTest
  @CsvSource({"GUAVA, 1, guava", "SPARK, 2, spark", "PARQUET, 3, parquet", "DCSO, 4, dcso"})
  void formatsAreFrozen(ForeignFormat format, int id, String label) {
    assertThat(format.id()).isEqualTo(id);
    assertThat(format.label()).isEqualTo(label);
    assertThat(ForeignFormat.ofId(id)).isEqualTo(format);
  }

  @Test
  @EnabledIfSystemProperty(named = "tamis.golden", matches = "write")
  void write() throws IOException {
    for (ForeignGolden golden : ForeignGolden.values()) {
      byte[] bytes = golden.madeThere();
      write(RESOURCES.resolve("interop").resolve(golden.fileName(false)), bytes);
      ForeignFilter<String> filter =
          ForeignFilters.readForeign(
              golden.format(), new ByteArrayInputStream(bytes), text(), bytes.length);
      write(RESOURCES.resolve("interop").resolve(golden.fileName(true)), filter.toByteArray());
      write(seeds("interop/ForeignBytesFuzzTestInputs").resolve(golden.fileName(false)), bytes);
      write(
          seeds("format/FilterReaderFuzzTestInputs").resolve(golden.fileName(true)),
          filter.toByteArray());
    }
  }

  private static Path seeds(String folder) {
    return RESOURCES.resolve("dev/tamis").resolve(folder).resolve("anyBytesAreReadOrRefused");
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }

  private static KeyHasher<String> text() {
    return KeyHasher.text()::hash;
  }

  private static ForeignFilter<String> foreign(ForeignGolden golden) throws IOException {
    byte[] bytes = golden.read(false);
    return ForeignFilters.readForeign(
        golden.format(), new ByteArrayInputStream(bytes), text(), bytes.length);
  }
}
