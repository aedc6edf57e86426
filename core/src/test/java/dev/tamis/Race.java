package dev.tamis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Lets threads loose at once, for tests of what several threads may do together. */
public final class Race {

  private Race() {}

  /**
   * Runs {@code runner} in {@code threads} threads, which start together, and waits for all.
   *
   * @throws AssertionError if one of them fails
   */
  public static void run(int threads, Runner runner) {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    CyclicBarrier start = new CyclicBarrier(threads);
    try {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int thread = i;
        runs.add(
            executor.submit(
                () -> {
                  start.await();
                  runner.run(thread);
                  return null;
                }));
      }
      for (Future<?> run : runs) {
        run.get();
      }
    } catch (ExecutionException e) {
      throw new AssertionError("a thread failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      executor.shutdownNow();
    }
  }

  /** What a thread does. */
  @FunctionalInterface
  public interface Runner {

    /** Runs as thread number {@code thread}, counted from 0. */
    void run(int thread) throws Exception;
  }
}
