package dev.tamis.format;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Writes the golden files and the fuzz targets' seeds, which are the same bytes. Not a test, and
 * not run as one: released files never change, so this is for a version that is not out yet.
 *
 * <pre>{@code
 * mvn -q -B -pl core test -Dtest=GoldenFileWriter -Dtamis.golden=write
 * }</pre>
 */
class GoldenFileWriter {

  private static final Path RESOURCES = Path.of("src", "test", "resources");

  @Test
  @EnabledIfSystemProperty(named = "tamis.golden", matches = "write")
  void write() throws IOException {
    for (String name : GoldenFiles.SKETCHES) {
      byte[] bytes = GoldenFiles.sketch(name).toByteArray();
      write(golden(name), bytes);
      write(
          seeds(SketchReaderFuzzTest.class, "bytesWithRightChecksumsAreReadOrRefused")
              .resolve(name),
          bytes);
    }
    for (String name : GoldenFiles.NAMES) {
      byte[] bytes = Bytes.of(GoldenFiles.filter(name));
      write(golden(name), bytes);
      write(seeds(FilterReaderFuzzTest.class, "anyBytesAreReadOrRefused").resolve(name), bytes);
    }
  }

  private static Path golden(String name) {
    return RESOURCES.resolve("golden").resolve(name + ".tamis");
  }

  private static Path seeds(Class<?> target, String method) {
    return RESOURCES
        .resolve(target.getPackageName().replace('.', '/'))
        .resolve(target.getSimpleName() + "Inputs")
        .resolve(method);
  }

  private static void write(Path file, byte[] bytes) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, bytes);
  }
}
