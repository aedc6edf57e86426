package dev.tamis.cli.corpus;

import dev.tamis.cli.lines.Block;
import dev.tamis.cli.lines.LineFormat;
import dev.tamis.file.FileErrors;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.file.FileSystemException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Reads records, prepares batches of them on several threads, and passes these on in order.
 *
 * <p>The calling thread reads and takes the batches, so what it decides does not depend on the
 * number of threads.
 */
final class RecordPipeline implements Closeable {

  /** Beyond one for each thread: one that is read into, and one that is decided. */
  private static final int MORE_BATCHES = 2;

  private final int threads;
  private final ExecutorService workers;
  private final ArrayDeque<RecordBatch> free = new ArrayDeque<>();
  private final ArrayDeque<Prepared> underWay = new ArrayDeque<>();
  private RecordBatch current;

  RecordPipeline(int threads, Supplier<RecordBatch> batches) {
    this.threads = threads;
    this.workers =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "tamis-corpus");
              thread.setDaemon(true);
              return thread;
            });
    int count = threads == 1 ? 1 : threads + MORE_BATCHES;
    for (int i = 0; i < count; i++) {
      free.add(batches.get());
    }
    this.current = batches.get();
  }

  /** Reads all records of an input to {@code taker}; its name is for errors. */
  void read(InputStream in, String name, BatchTaker taker) throws IOException {
    LineFormat.LineEnds ends = LineFormat.plain((byte) '\n').ends();
    current.block().beginInput(name);
    try {
      do {
        current.block().split(ends);
        if (current.block().isFull()) {
          passOn(taker);
        }
      } while (current.block().read(in));
      current.block().endLine((byte) '\n');
      current.block().split(ends);
    } catch (Block.LineTooLongException e) {
      long number = current.block().number(current.count());
      throw FileErrors.named(name, "line " + number + " " + e.getMessage(), e);
    } catch (IOException e) {
      throw e instanceof FileSystemException
          ? e
          : FileErrors.named(name, String.valueOf(e.getMessage()), e);
    }
    passOn(taker);
    while (!underWay.isEmpty()) {
      takeOldest(taker);
    }
  }

  private void passOn(BatchTaker taker) throws IOException {
    if (free.isEmpty()) {
      takeOldest(taker);
    }
    RecordBatch next = free.remove();
    RecordBatch full = current;
    next.block().startWithRestOf(full.block());
    current = next;
    Future<?> done;
    if (threads == 1) {
      full.prepare();
      done = CompletableFuture.completedFuture(null);
    } else {
      done = workers.submit(full::prepare);
    }
    underWay.add(new Prepared(full, done));
  }

  private void takeOldest(BatchTaker taker) throws IOException {
    Prepared oldest = underWay.remove();
    try {
      Object unused = oldest.done().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for records");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new CompletionException(e.getCause());
    }
    taker.take(oldest.batch());
    free.add(oldest.batch());
  }

  @Override
  public void close() {
    workers.shutdownNow();
  }

  private record Prepared(RecordBatch batch, Future<?> done) {}

  /** Takes prepared batches in order; they are used again when it returns. */
  interface BatchTaker {
    void take(RecordBatch batch) throws IOException;
  }
}
