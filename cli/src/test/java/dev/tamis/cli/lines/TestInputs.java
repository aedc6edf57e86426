package dev.tamis.cli.lines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/** Inputs that behave as files do, pipes, and disks that fail. */
final class TestInputs {

  private TestInputs() {}

  /** An input that is {@code open}. */
  record Input(String name, InputStream open, boolean mayBlock) implements LineInput {}

  /** Returns an input of this name that is {@code in}, and may block. */
  static LineInput input(String name, InputStream in) {
    return new Input(name, in, true);
  }

  /** Returns the bytes of text, one for each character. */
  static ByteArrayInputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** Returns a reader that never waits for more, since by its clock each block is due. */
  static LineReader reader(
      List<LineInput> inputs, LineFormat format, LineHash hashing, int blockBytes) {
    AtomicLong clock = new AtomicLong();
    PipePause none = new PipePause(() -> clock.addAndGet(PipePause.LATENCY_NANOS), nanos -> {});
    return new LineReader(
        inputs, format, LineReader.MAX_LINES, hashing, () -> {}, blockBytes, none);
  }

  /** Bytes that come in pieces, as from a pipe. */
  static class Pieces extends ByteArrayInputStream {
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

  /** An input that ends when a latch opens, or its thread is interrupted. */
  static final class Waiting extends InputStream {
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

  /** Waits until no thread of a reader or worker is left. */
  static void assertNoThread() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("tamis-")) {
        assertThatCode(() -> thread.join(600_000)).doesNotThrowAnyException();
        assertThat(thread.isAlive()).isFalse();
      }
    }
  }
}
