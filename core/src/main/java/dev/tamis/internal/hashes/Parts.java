package dev.tamis.internal.hashes;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The parts of a construction, dealt out to threads in ascending order. */
public final class Parts {

  /*
   * The threads are those of a parallel stream, as of Arrays.parallelSort: the caller's and the
   * common pool's, or those of the pool that the caller is in. Core starts none. A worker that begins
   * when nothing is left costs nothing, so it does not matter if there are fewer threads.
   */

  private final int count;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  private Parts(int count) {
    this.count = count;
  }

  /**
   * Does all parts, numbered from 0, and rethrows the first failure of a worker.
   *
   * @param threads the most that work at once
   * @param workers creates the worker of a thread, which gets its parts in ascending order
   */
  public static void run(int count, int threads, Supplier<IntConsumer> workers) {
    Parts parts = new Parts(count);
    IntStream each = IntStream.range(0, Math.min(count, threads));
    (threads > 1 ? each.parallel() : each).forEach(thread -> parts.work(workers));
    Throwable failed = parts.failure.get();
    if (failed instanceof Error error) {
      throw error;
    } else if (failed instanceof RuntimeException exception) {
      throw exception;
    }
  }

  private void work(Supplier<IntConsumer> workers) {
    int part = next.getAndIncrement();
    if (part >= count) {
      return;
    }
    try {
      IntConsumer worker = workers.get();
      for (; part < count; part = next.getAndIncrement()) {
        worker.accept(part);
      }
    } catch (RuntimeException | Error e) { // a stream would wrap it in another one
      failure.compareAndSet(null, e);
      next.set(count);
    }
  }
}
