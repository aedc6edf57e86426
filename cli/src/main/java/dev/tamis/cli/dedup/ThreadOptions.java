package dev.tamis.cli.dedup;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.CommandException;
import dev.tamis.filter.ParallelPuts;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that says how many threads share the work. */
final class ThreadOptions {

  /** The reading thread is busy long before; each thread has a few megabytes of lines. */
  static final int MAX_THREADS = 64;

  private static final int DEFAULT_MAX_THREADS = 16;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "Threads that hash lines and query the filter (default: the number of cores, 16 at most)."
              + " The output does not depend on it.")
  private @Nullable Integer count;

  /** Checks the number. */
  void check() {
    if (count != null && (count < 1 || count > MAX_THREADS)) {
      throw new CommandException("--parallel: must be from 1 to " + MAX_THREADS + ", got " + count);
    }
  }

  /** Returns how many threads there are. */
  int count() {
    return count != null
        ? count
        : Math.min(DEFAULT_MAX_THREADS, Runtime.getRuntime().availableProcessors());
  }

  /** Returns puts into a filter by as many threads. */
  ParallelPuts puts(HashedMutableFilter<?> filter) {
    return ParallelPuts.into(filter, count());
  }
}
