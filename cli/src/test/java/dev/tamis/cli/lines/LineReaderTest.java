package dev.tamis.cli.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashFunction;
import java.io.ByteArrayInputStream;
import java.io.Flushable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {

  private static final ToLongFunction<Line> LENGTH = Line::length;

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
          inputs.stream().map(bytes -> input("x", new Pieces(bytes, pieceBytes))).toList();
      assertThat(readAll(pieces, delimiter, blockBytes))
          .isEqualTo(inputs.stream().flatMap(bytes -> split(bytes, delimiter).stream()).toList());
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

  private static List<String> split(byte[] bytes, byte delimiter) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == delimiter || i == bytes.length - 1) {
        int end = bytes[i] == delimiter ? i : i + 1;
        lines.add(new String(bytes, start, end - start, StandardCharsets.ISO_8859_1));
        start = i + 1;
      }
    }
    return lines;
  }

  @Test
  void linesWithinOneLineAreTheLinesAndTheDelimitersBetween() throws IOException {
    try (LineReader reader = reader("a\nbc\n\nd\n", () -> {})) {
      assertThat(reader.next()).isEqualTo(4);
      assertThat(text(reader.lines(1, 4))).isEqualTo("bc\n\nd");
      assertThat(text(reader.lines(0, 1))).isEqualTo("a");
    }
  }

  @Test
  void flushesBeforeItMayHaveToWait() throws IOException {
    CountDownLatch flushed = new CountDownLatch(2); // when it begins, and when it used all there is
    InputStream in =
        new Pieces("a\nb\n".getBytes(StandardCharsets.UTF_8), 2) {
          private int reads;

          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            if (++reads == 2) {
              await(flushed);
            }
            return super.read(bytes, offset, length);
          }
        };
    List<LineInput> inputs = List.of(input("x", in));
    try (LineReader reader =
        new LineReader(inputs, (byte) '\n', LENGTH, () -> flushed.countDown())) {
      assertThat(reader.next()).isEqualTo(1);
      flushed.countDown(); // the first flush need not come, if the line was there at once
      assertThat(reader.next()).isEqualTo(1);
      assertThat(reader.next()).isZero();
    }
  }

  @Test
  void anInputThatFailsIsNamedAfterTheLinesBefore() throws IOException {
    InputStream failing = new SequenceInputStream(bytes("a\nb\nc"), new Failing());
    try (LineReader reader = reader(List.of(input("disk", failing)))) {
      assertThat(reader.next()).isEqualTo(2);
      assertThatThrownBy(reader::next)
          .isInstanceOf(FileSystemException.class)
          .hasMessage("disk: Input/output error");
      assertThat(reader.next()).isZero();
      assertNoThread();
    }
  }

  @Test
  void anInputThatCannotBeOpenedFailsInItsTurn() throws IOException {
    LineInput missing =
        new LineInput() {
          @Override
          public String name() {
            return "gone";
          }

          @Override
          public InputStream open() throws IOException {
            throw new NoSuchFileException("gone");
          }
        };
    try (LineReader reader = reader(List.of(input("x", bytes("a\nb\n")), missing))) {
      assertThat(reader.next()).isEqualTo(2);
      assertThatThrownBy(reader::next).isInstanceOf(NoSuchFileException.class);
    }
  }

  @Test
  void whatGoesWrongInHashingReachesTheCaller() {
    for (Throwable thrown : List.of(new IllegalStateException("hash"), new OutOfMemoryError())) {
      ToLongFunction<Line> hashing =
          line -> {
            if (thrown instanceof Error error) {
              throw error;
            }
            throw (RuntimeException) thrown;
          };
      List<LineInput> inputs = List.of(input("x", bytes("a\n")));
      try (LineReader reader = new LineReader(inputs, (byte) '\n', hashing, () -> {})) {
        assertThatThrownBy(reader::next).isSameAs(thrown);
      }
    }
  }

  @Test
  void aFlushThatFailsReachesTheCaller() {
    InputStream never = new Waiting(new CountDownLatch(1));
    try (LineReader reader =
        new LineReader(
            List.of(input("x", never)),
            (byte) '\n',
            LENGTH,
            () -> {
              throw new IOException("full");
            })) {
      assertThatThrownBy(reader::next).hasMessage("full");
    }
    assertNoThread();
  }

  @Test
  void theThreadEndsWithTheInputs() throws IOException {
    assertThat(read("a\nb", "c")).hasSize(3);
    assertNoThread();
  }

  @Test
  void theThreadEndsAndClosesItsInputWhenNobodyWantsMore() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return '\n';
          }

          @Override
          public void close() {
            closed.countDown();
          }
        };
    try (LineReader reader = reader(List.of(input("x", endless)))) {
      assertThat(reader.next()).isPositive();
    }
    await(closed);
    assertNoThread();
  }

  @Test
  void aReaderThatIsNotUsedOpensNothing() {
    LineInput untouchable = input("x", new Failing());
    reader(List.of(untouchable)).close();
    assertNoThread();
  }

  @Test
  void anInterruptEndsTheWait() {
    CountDownLatch never = new CountDownLatch(1);
    try (LineReader reader = reader(List.of(input("x", new Waiting(never))))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(reader::next).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** Waits until no thread of a reader is left. */
  private static void assertNoThread() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().equals("tamis-reader")) {
        try {
          thread.join(TimeUnit.SECONDS.toMillis(30));
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).isFalse();
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
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
    return readAll(inputs, delimiter, Block.BYTES);
  }

  /** Reads all lines, and checks that each has its hash. */
  private static List<String> readAll(List<LineInput> inputs, byte delimiter, int blockBytes)
      throws IOException {
    HashFunction function = HashFunction.xxh3(1);
    List<String> lines = new ArrayList<>();
    try (LineReader reader =
        new LineReader(inputs, delimiter, Line.hashing(function), () -> {}, blockBytes)) {
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

  private static LineReader reader(String text, Flushable beforeWaiting) {
    return new LineReader(List.of(input("x", bytes(text))), (byte) '\n', LENGTH, beforeWaiting);
  }

  private static LineReader reader(List<LineInput> inputs) {
    return new LineReader(inputs, (byte) '\n', LENGTH, () -> {});
  }

  private static ByteArrayInputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String text(Line line) {
    return new String(line.buffer(), line.start(), line.length(), StandardCharsets.ISO_8859_1);
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
  private static class Pieces extends ByteArrayInputStream {
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

  /** An input that cannot be read. */
  private static final class Failing extends InputStream {
    @Override
    public int read() throws IOException {
      throw new IOException("Input/output error");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return read();
    }
  }

  /** An input that ends when a latch opens, or its thread is interrupted. */
  private static final class Waiting extends InputStream {
    private final CountDownLatch latch;

    Waiting(CountDownLatch latch) {
      this.latch = latch;
    }

    @Override
    public int read() {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return -1;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      return read();
    }
  }
}
