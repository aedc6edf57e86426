package dev.tamis.cli.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {

  @Test
  void givesTheBytesBetweenDelimiters() throws IOException {
    assertThat(read("a\nbc\n")).containsExactly("a", "bc");
  }

  @Test
  void theLastLineNeedsNoDelimiter() throws IOException {
    assertThat(read("a\nbc")).containsExactly("a", "bc");
  }

  @Test
  void emptyLinesAreLines() throws IOException {
    assertThat(read("\n\na\n\n")).containsExactly("", "", "a", "");
  }

  @Test
  void nothingHasNoLines() throws IOException {
    assertThat(read("")).isEmpty();
    assertThat(read("", "")).isEmpty();
  }

  @Test
  void anInputThatEndsWithoutADelimiterDoesNotRunIntoTheNext() throws IOException {
    assertThat(read("a\nb", "", "c\n", "d")).containsExactly("a", "b", "c", "d");
  }

  @Test
  void carriageReturnsAndNulBelongToTheLine() throws IOException {
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

  @Test
  void manyLinesAreGivenAtATimeAndEachOnce() throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<String> lines =
        Stream.generate(() -> text(random, random.nextInt(60))).limit(50_000).toList();
    assertThat(read(5000, (byte) '\n', String.join("\n", lines) + "\n")).isEqualTo(lines);
  }

  @ParameterizedTest
  @ValueSource(bytes = {0, 1, '\n', (byte) 0x80, (byte) 0xFF})
  void anyByteCanBeTheDelimiter(byte delimiter) throws IOException {
    String text = new String(new byte[] {65, delimiter, 66}, StandardCharsets.ISO_8859_1);
    assertThat(read(10, delimiter, text)).containsExactly("A", "B");
  }

  @Test
  void findsTheFirstOfAnyByteAtAnyPlace() {
    SplittableRandom random = new SplittableRandom(2);
    for (int i = 0; i < 100_000; i++) {
      byte[] bytes = new byte[random.nextInt(40)];
      random.nextBytes(bytes);
      if (i % 2 == 0) { // neighbours of the byte sought are what the arithmetic could get wrong
        for (int j = 0; j < bytes.length; j++) {
          bytes[j] = (byte) (bytes[j] & 0x81);
        }
      }
      byte value = (byte) (random.nextInt() & (i % 2 == 0 ? 0x81 : 0xFF));
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      int expected = from;
      while (expected < to && bytes[expected] != value) {
        expected++;
      }
      assertThat(LineReader.indexOf(bytes, value, from, to))
          .isEqualTo(expected < to ? expected : -1);
    }
  }

  @Test
  void flushesBeforeItMayHaveToWait() throws IOException {
    List<String> flushes = new ArrayList<>();
    InputStream in = new Pieces("a\nb\n".getBytes(StandardCharsets.UTF_8), 2);
    try (LineReader reader =
        new LineReader(List.of(input("x", in)), (byte) '\n', () -> flushes.add("flush"))) {
      assertThat(reader.next()).isEqualTo(1);
      assertThat(flushes).hasSize(1);
      assertThat(reader.next()).isEqualTo(1);
      assertThat(flushes).hasSize(2);
    }
  }

  @Test
  void anInputThatFailsIsNamed() throws IOException {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("Input/output error");
          }

          @Override
          public int read(byte[] bytes, int offset, int length) throws IOException {
            return read();
          }
        };
    try (LineReader reader =
        new LineReader(List.of(input("disk", failing)), (byte) '\n', () -> {})) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(FileSystemException.class)
          .hasMessage("disk: Input/output error");
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
            .map(bytes -> input("x", new Pieces(bytes, pieceBytes)))
            .toList();
    List<String> lines = new ArrayList<>();
    try (LineReader reader = new LineReader(inputs, delimiter, () -> {})) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        assertThat(count).isLessThanOrEqualTo(LineReader.MAX_LINES);
        for (int i = 0; i < count; i++) {
          Line line = reader.line(i);
          lines.add(
              new String(line.buffer(), line.start(), line.length(), StandardCharsets.ISO_8859_1));
        }
      }
      assertThat(reader.next()).isZero();
      assertThat(reader.lines()).isEqualTo(lines.size());
    }
    return lines;
  }

  private static LineInput input(String name, InputStream in) {
    return new LineInput() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public InputStream open() {
        return in;
      }
    };
  }

  private static String text(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return new String(bytes, StandardCharsets.ISO_8859_1).replace('\n', '\r');
  }

  /** Bytes that come in pieces, as from a pipe. */
  private static final class Pieces extends ByteArrayInputStream {
    private final int pieceBytes;

    Pieces(byte[] bytes, int pieceBytes) {
      super(bytes);
      this.pieceBytes = pieceBytes;
    }

    @Override
    public synchronized int read(byte[] bytes, int offset, int length) {
      return super.read(bytes, offset, Math.min(pieceBytes, length));
    }

    @Override
    public synchronized int available() {
      return 0;
    }
  }
}
