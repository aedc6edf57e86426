package dev.tamis.cli.lines;

import static dev.tamis.cli.lines.TestInputs.bytes;
import static dev.tamis.cli.lines.TestInputs.input;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Lines;
import dev.tamis.hash.HashFunction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {

  @Test
  void givesTheBytesBetweenDelimitersOfEachInput() throws IOException {
    assertThat(read("a\nbc\n")).containsExactly("a", "bc");
    assertThat(read("a\nbc")).containsExactly("a", "bc");
    assertThat(read("\n\na\n\n")).containsExactly("", "", "a", "");
    assertThat(read("")).isEmpty();
    assertThat(read("", "")).isEmpty();
    assertThat(read("a\nb", "", "c\n", "d")).containsExactly("a", "b", "c", "d");
    assertThat(read("a\r\n\0b\n")).containsExactly("a\r", "\0b");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 1 << 16, 1 << 20})
  void linesOfAnyLengthComeThroughPiecesOfAnyLength(int pieceBytes) throws IOException {
    SplittableRandom random = new SplittableRandom(pieceBytes);
    List<String> lines = new ArrayList<>();
    for (int bufferBytes = 1 << 18; bufferBytes <= 1 << 20; bufferBytes *= 2) {
      for (int around = -2; around <= 2; around++) {
        lines.add(text(random, bufferBytes / 2 + around));
        lines.add(text(random, random.nextInt(100)));
        lines.add(text(random, bufferBytes + around));
      }
    }
    assertThat(read(pieceBytes, (byte) '\n', String.join("\n", lines) + "\n")).isEqualTo(lines);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8, 9, 64})
  void linesAreTheSameWhereverBlocksAndPiecesEnd(int blockBytes) throws IOException {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte delimiter = (byte) random.nextInt();
      List<byte[]> inputs =
          Stream.generate(() -> nearly(delimiter, random)).limit(random.nextInt(4)).toList();
      int pieceBytes = 1 + random.nextInt(70);
      List<LineInput> pieces =
          inputs.stream()
              .map(bytes -> input("x", new TestInputs.Pieces(bytes, pieceBytes)))
              .toList();
      assertThat(readAll(pieces, delimiter, blockBytes))
          .isEqualTo(
              inputs.stream().flatMap(bytes -> Lines.split(bytes, delimiter).stream()).toList());
    }
  }

  /** Returns bytes that are hard to tell from the delimiter by arithmetic, which is among them. */
  private static byte[] nearly(byte delimiter, SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(200)];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (delimiter ^ (random.nextInt(4) == 0 ? 0 : random.nextInt() & 0x81));
    }
    return bytes;
  }

  @Test
  void linesWithinOneLineAreTheLinesAndTheDelimitersBetween() throws IOException {
    List<LineInput> inputs = List.of(input("x", bytes("a\nbc\n\nd\n")));
    try (LineReader reader = new LineReader(inputs, (byte) '\n', Line::length, () -> {})) {
      assertThat(reader.next()).isEqualTo(4);
      assertThat(text(reader.lines(1, 4))).isEqualTo("bc\n\nd");
      assertThat(text(reader.lines(0, 1))).isEqualTo("a");
    }
  }

  private static List<String> read(String... inputs) throws IOException {
    return read(100, (byte) '\n', inputs);
  }

  private static List<String> read(int pieceBytes, byte delimiter, String... texts)
      throws IOException {
    List<LineInput> inputs =
        Stream.of(texts)
            .map(text -> text.getBytes(StandardCharsets.ISO_8859_1))
            .map(bytes -> input("x", new TestInputs.Pieces(bytes, pieceBytes)))
            .toList();
    return readAll(inputs, delimiter, Block.BYTES);
  }

  /** Reads all lines, and checks that each has its hash. */
  private static List<String> readAll(List<LineInput> inputs, byte delimiter, int blockBytes)
      throws IOException {
    HashFunction function = HashFunction.xxh3(1);
    List<String> lines = new ArrayList<>();
    try (LineReader reader =
        TestInputs.reader(
            inputs, LineFormat.plain(delimiter), Line.hashing(function), blockBytes)) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        assertThat(count).isLessThanOrEqualTo(LineReader.MAX_LINES);
        for (int i = 0; i < count; i++) {
          String line = text(reader.line(i));
          byte[] bytes = line.getBytes(StandardCharsets.ISO_8859_1);
          assertThat(reader.hashes()[i]).isEqualTo(function.hashBytes(bytes, 0, bytes.length));
          lines.add(line);
        }
      }
      assertThat(reader.next()).isZero();
      assertThat(reader.lines()).isEqualTo(lines.size());
    }
    return lines;
  }

  private static String text(Line line) {
    return new String(line.buffer(), line.start(), line.length(), StandardCharsets.ISO_8859_1);
  }

  private static String text(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1).replace('\n', '\r');
  }
}
