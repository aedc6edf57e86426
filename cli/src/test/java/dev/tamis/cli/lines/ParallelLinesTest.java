package dev.tamis.cli.lines;

import static dev.tamis.cli.lines.TestInputs.assertNoThread;
import static dev.tamis.cli.lines.TestInputs.bytes;
import static dev.tamis.cli.lines.TestInputs.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.Faults;
import dev.tamis.cli.lines.TestInputs.Pieces;
import dev.tamis.cli.lines.TestInputs.Waiting;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ParallelPuts;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.HashFunction;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes on between the threads that read, work and write. */
@Timeout(600)
class ParallelLinesTest {

  private static final int LINES = 5000;
  private static final int BLOCK_BYTES = 64;
  private static final HashFunction FUNCTION = HashFunction.xxh3(1);

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 16})
  void everyLineIsWrittenInItsOrder(int workers) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String text = numbers(LINES);
    try (ParallelLines lines = lines(text + text, workers, Line.hashing(FUNCTION))) {
      lines.writeTo(out, unique -> assertThat(unique).isLessThanOrEqualTo(LINES));
      assertThat(lines.lines()).isEqualTo(2 * LINES);
      assertThat(lines.newLines()).isEqualTo(LINES);
      assertThat(lines.writtenLines()).isEqualTo(LINES);
    }
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(text);
    assertNoThread();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16})
  void aFilterThatOftenHasNoRoomForABlockStopsNobody(int workers) throws IOException {
    for (int run = 0; run < 20; run++) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      ScalableBloomFilter<Line> filter = ScalableBloomFilter.create(Line.HASHER, 20, 1e-9);
      List<LineInput> inputs = List.of(input("x", bytes(numbers(LINES))));
      try (ParallelLines lines = lines(inputs, filter, workers, Line.hashing(FUNCTION))) {
        lines.writeTo(out, unique -> {});
      }
      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(numbers(LINES));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void whatGoesWrongInAWorkerComesAfterTheLinesBefore(int workers) {
    for (Throwable thrown : List.of(new IllegalStateException("hash"), new OutOfMemoryError())) {
      LineHash failing =
          line -> {
            if (line.text().equals("3000")) {
              throw Faults.<RuntimeException>unchecked(thrown);
            }
            return FUNCTION.hashBytes(line.buffer(), line.start(), line.length());
          };
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      try (ParallelLines lines = lines(numbers(LINES), workers, failing)) {
        assertThatThrownBy(() -> lines.writeTo(out, unique -> {})).isSameAs(thrown);
      }
      String written = out.toString(StandardCharsets.UTF_8);
      assertThat(numbers(3000)).startsWith(written);
      assertThat(written.length()).isGreaterThan(numbers(3000).length() - 2 * BLOCK_BYTES);
      assertNoThread();
    }
  }

  @Test
  void anOutputThatFailsEndsAllThreads() {
    OutputStream full = Faults.output("full");
    try (ParallelLines lines = lines(numbers(LINES), 3, Line.hashing(FUNCTION))) {
      assertThatThrownBy(() -> lines.writeTo(full, unique -> {})).hasMessage("full");
    }
    assertNoThread();
  }

  @Test
  void anInterruptEndsTheWait() {
    List<LineInput> never = List.of(input("x", new Waiting(new CountDownLatch(1))));
    try (ParallelLines lines = lines(never, 2, Line.hashing(FUNCTION))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> lines.writeTo(OutputStream.nullOutputStream(), unique -> {}))
          .isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void theOthersLeaveAWorkerAloneThatKeepsUp() throws IOException {
    Semaphore written = new Semaphore(1);
    InputStream slow =
        new Pieces(bytes("a\nb\n".repeat(50)).readAllBytes(), 2) {
          @Override
          public synchronized int read(byte[] bytes, int offset, int length) {
            written.acquireUninterruptibly(); // the line before, which was a block
            return super.read(bytes, offset, length);
          }
        };
    Set<Thread> hashing = ConcurrentHashMap.newKeySet();
    LineHash watched =
        line -> {
          hashing.add(Thread.currentThread());
          return Line.HASHER.hash(line, FUNCTION);
        };
    try (ParallelLines lines = lines(List.of(input("x", slow)), 16, watched)) {
      lines.writeTo(OutputStream.nullOutputStream(), unique -> written.release());
      assertThat(lines.lines()).isEqualTo(100);
    }
    assertThat(hashing).hasSize(1);
  }

  @Test
  void theOthersHelpAWorkerThatDoesNotKeepUp() throws IOException {
    CountDownLatch two = new CountDownLatch(2);
    Set<Thread> hashing = ConcurrentHashMap.newKeySet();
    LineHash waiting =
        line -> {
          if (hashing.add(Thread.currentThread())) {
            two.countDown();
          }
          assertThatCode(two::await).doesNotThrowAnyException();
          return Line.HASHER.hash(line, FUNCTION);
        };
    try (ParallelLines lines = lines(numbers(LINES), 2, waiting)) {
      lines.writeTo(OutputStream.nullOutputStream(), unique -> {});
      assertThat(lines.newLines()).isEqualTo(LINES);
    }
  }

  private static String numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  private static ParallelLines lines(String text, int workers, LineHash hashing) {
    return lines(List.of(input("x", bytes(text))), workers, hashing);
  }

  private static ParallelLines lines(List<LineInput> inputs, int workers, LineHash hashing) {
    BloomFilter<Line> filter =
        BloomFilter.<Line>builder(Line.HASHER).expectedKeys(LINES).fpp(1e-9).build();
    return lines(inputs, filter, workers, hashing);
  }

  private static ParallelLines lines(
      List<LineInput> inputs, HashedMutableFilter<Line> filter, int workers, LineHash hashing) {
    return new ParallelLines(
        inputs,
        LineFormat.plain((byte) '\n'),
        () -> hashing,
        ParallelPuts.into(filter, workers),
        workers,
        true,
        BLOCK_BYTES);
  }
}
