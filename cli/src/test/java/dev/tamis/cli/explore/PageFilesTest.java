package dev.tamis.cli.explore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.place.Descriptions;
import dev.tamis.cli.place.FileSniffer;
import dev.tamis.cli.place.Loaded;
import dev.tamis.explorer.Node;
import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.format.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The explorer page says of a file what {@code tamis info} says of it, word for word. */
class PageFilesTest {

  private static final Path GOLDEN = Path.of("..", "core", "src", "test", "resources", "golden");

  private static final Path INTEROP = GOLDEN.resolveSibling("interop");

  private static final Pattern OTHER_FORMAT = Pattern.compile("\\.(bin|bloom|gz)$");

  private static final Set<Kind> FILTERS = EnumSet.range(Kind.BLOOM, Kind.RIBBON);

  private static final int KIND_AT = 10;
  private static final int HEADER_CHECKSUM_AT = 124;
  private static final int HEADER = 128;
  private static final int[] VALUES = {0, 1, 10, 0x7F, 0xFF};

  @TempDir private Path folder;

  @BeforeEach
  void needsNode() throws IOException, InterruptedException {
    Node.assumeInstalled();
  }

  @Test
  void describesGoldenFilesAsTheCommandDoes() throws Exception {
    assertSaysTheSame(golden());
  }

  @Test
  void refusesTruncatedFilesInTheSameWords() throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (byte[] file : golden()) {
      for (int length : new int[] {8, 127, 128, 129, 200, file.length - 4, file.length - 1}) {
        files.add(Arrays.copyOf(file, length));
      }
      files.add(Arrays.copyOf(file, file.length + 1));
    }
    assertSaysTheSame(files);
  }

  @Test
  void refusesFilesWithWrongChecksumsInTheSameWords() throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (byte[] file : golden()) {
      for (int i = 8; i < file.length; i += 3) {
        files.add(with(file, i, file[i] ^ 1 << i % 8));
      }
    }
    assertSaysTheSame(files);
  }

  @Test
  void judgesEveryFieldOfAHeaderInTheSameWords() throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (byte[] file : golden()) {
      for (int i = 8; i < HEADER_CHECKSUM_AT; i++) {
        for (int value : i < 88 ? VALUES : new int[] {1}) {
          if (i != KIND_AT || value != Kind.FOREIGN.id()) {
            files.add(repaired(with(file, i, value)));
          }
        }
      }
    }
    assertSaysTheSame(files);
  }

  @Test
  void judgesEveryPayloadInTheSameWords() throws Exception {
    List<byte[]> files = new ArrayList<>();
    for (byte[] file : golden()) {
      for (int i = HEADER; i < file.length - 4; i++) {
        files.add(repaired(with(file, i, file[i] ^ 1 << i % 8)));
      }
    }
    assertSaysTheSame(files);
  }

  @Test
  void namesOtherFormatsAndWhatConvertsThemInTheSameWords() throws Exception {
    List<byte[]> files = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(INTEROP)) {
      for (Path path : paths.filter(p -> OTHER_FORMAT.matcher(p.toString()).find()).toList()) {
        byte[] file = Files.readAllBytes(path);
        for (int at = 0; at < FileSniffer.HEAD_BYTES; at++) {
          for (int value : VALUES) {
            files.add(with(file, at, value));
          }
        }
        files.add(Arrays.copyOf(file, FileSniffer.HEAD_BYTES));
        files.add(file);
      }
    }
    for (String head : List.of("8954424c4b530d0a", "00050003", "1f8b", "50415231", "")) {
      files.add(HexFormat.of().parseHex(head));
    }
    assertThat(files).hasSizeGreaterThan(400);
    assertSaysTheSame(files);
  }

  private void assertSaysTheSame(List<byte[]> files) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    List<String> expected = new ArrayList<>();
    Path path = folder.resolve("file");
    for (byte[] file : files) {
      all.writeBytes(
          ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(file.length).array());
      all.writeBytes(file);
      expected.add(said(Files.write(path, file)));
    }
    Path input = Files.write(folder.resolve("files"), all.toByteArray());
    Node.Run page = Node.run(input, List.of("src/test/page/compare-files.mjs"));
    assertThat(page.exit()).as(page.out()).isZero();
    List<String> said = page.out().lines().map(PageFilesTest::withoutEnd).toList();
    assertThat(said).hasSameSizeAs(expected);
    for (int i = 0; i < said.size(); i++) { // a list of thousands is not shown in full
      assertThat(said.get(i)).isEqualTo(expected.get(i));
    }
  }

  /** Leaves out the two facts that are of the file and not of the filter. */
  private static String withoutEnd(String line) {
    return line.replaceAll("\\|bytes \\d+\\|checksum [0-9a-f]+$", "");
  }

  private static String said(Path file) throws IOException {
    KeyFile noKey =
        new KeyFile(
            new Messages(
                new PrintStream(OutputStream.nullOutputStream(), false, UTF_8), List.of()));
    try {
      return Descriptions.of(Loaded.from(file, noKey))
          .table()
          .lines()
          .map(line -> line.replaceFirst(" {2,}", " "))
          .reduce((first, second) -> first + "|" + second)
          .orElseThrow();
    } catch (FileSystemException e) {
      return String.valueOf(e.getReason());
    } catch (CommandException e) {
      return String.valueOf(e.getMessage()).replace(file + ": ", "");
    }
  }

  /** Returns a file of every kind of filter. */
  private static List<byte[]> golden() throws IOException {
    List<byte[]> files = new ArrayList<>();
    try (Stream<Path> paths = Files.list(GOLDEN)) {
      for (Path path : paths.sorted().toList()) {
        if (FILTERS.contains(FileHeader.read(path).kind())) {
          files.add(Files.readAllBytes(path));
        }
      }
    }
    return files;
  }

  private static byte[] with(byte[] file, int at, int value) {
    byte[] changed = file.clone();
    changed[at] = (byte) value;
    return changed;
  }

  private static byte[] repaired(byte[] file) {
    ByteBuffer buffer = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    for (int at : new int[] {HEADER_CHECKSUM_AT, file.length - 4}) {
      CRC32C checksum = new CRC32C();
      checksum.update(file, 0, at);
      buffer.putInt(at, (int) checksum.getValue());
    }
    return file;
  }
}
