package dev.tamis.cli.lines;

import static dev.tamis.cli.lines.TestInputs.assertNoThread;
import static dev.tamis.cli.lines.TestInputs.bytes;
import static dev.tamis.cli.lines.TestInputs.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.cli.Faults;
import dev.tamis.cli.lines.TestInputs.Pieces;
import dev.tamis.cli.lines.TestInputs.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What goes on between the thread that reads and the one that uses the lines. */
@Timeout(600)
class LineReaderThreadTest {

  private static final LineHash LENGTH = Line::length;

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
    InputStream failing =
        new SequenceInputStream(
            bytes("a\nb\nc"), Faults.input(new IOException("Input/output error")));
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
          public boolean mayBlock() {
            return false;
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
      LineHash hashing =
          line -> {
            throw Faults.<RuntimeException>unchecked(thrown);
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
    LineInput untouchable = input("x", Faults.input(new IOException("Input/output error")));
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

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(600, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static LineReader reader(List<LineInput> inputs) {
    return new LineReader(inputs, (byte) '\n', LENGTH, () -> {});
  }
}
