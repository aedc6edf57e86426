package dev.tamis.cli.compression;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;

/** Reads another input on its own thread, some buffers ahead. */
final class AheadInput extends InputStream {

  private static final int BUFFER_BYTES = 1 << 17;

  /** One is filled, one read, and two absorb uneven input. */
  private static final int BUFFERS = 4;

  private static final class Buffer {
    private final byte[] bytes;
    private int end;
    private int next;

    Buffer(int size) {
      bytes = new byte[size];
    }
  }

  private final InputStream in;
  private final BlockingQueue<Buffer> free = new ArrayBlockingQueue<>(BUFFERS);
  private final BlockingQueue<Buffer> filled = new ArrayBlockingQueue<>(BUFFERS + 1);
  private final Thread thread = new Thread(this::run, "tamis-decompressor");
  private @Nullable Buffer buffer;

  /** What ended the thread; written before the empty buffer that comes last is handed over. */
  private @Nullable Throwable failure;

  AheadInput(InputStream in) {
    this.in = in;
    thread.setDaemon(true);
  }

  private void run() {
    Buffer last = new Buffer(0);
    try (InputStream closed = in) {
      int read = 0;
      while (read >= 0) {
        Buffer next = free.take();
        do {
          read = closed.read(next.bytes, 0, BUFFER_BYTES);
        } while (read == 0);
        next.next = 0;
        next.end = read;
        if (read > 0) {
          filled.put(next);
        }
      }
    } catch (InterruptedException e) {
      // closed, so the outcome does not matter
    } catch (Throwable e) { // rethrown to the reader
      failure = e;
    }
    filled.add(last); // has room, as there are no more than BUFFERS others
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    Buffer from = current();
    if (from.end == 0) {
      rethrow();
      return -1;
    }
    int count = Math.min(length, from.end - from.next);
    System.arraycopy(from.bytes, from.next, bytes, offset, count);
    from.next += count;
    return count;
  }

  private Buffer current() throws IOException {
    Buffer present = buffer;
    if (present == null) {
      for (int i = 0; i < BUFFERS; i++) {
        free.add(new Buffer(BUFFER_BYTES));
      }
      thread.start();
    } else if (present.next < present.end || present.end == 0) {
      return present;
    } else {
      free.add(present);
    }
    try {
      present = filled.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for data");
    }
    buffer = present;
    return present;
  }

  private void rethrow() throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    } else if (failure instanceof Error e) {
      throw e;
    }
  }

  @Override
  public int available() {
    Buffer present = buffer;
    if (present != null && present.next < present.end) {
      return present.end - present.next;
    }
    Buffer next = filled.peek();
    return next == null ? 0 : next.end;
  }

  /** Ends the thread, which closes the other input after the read that is under way. */
  @Override
  public void close() throws IOException {
    if (buffer == null) {
      in.close();
    } else {
      thread.interrupt();
    }
  }
}
