package dev.tamis.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** The CPU time and the memory that the reading of one input of a fuzz target may take. */
public final class InputBudget {

  /*
   * Linear in the length of the input, so whatever grows faster is found with inputs of some ten
   * thousand bytes. Both are counted for this thread alone: other processes do not change them. The
   * constant parts are large because the first input loads classes and instruments them, and an input
   * that takes too much is therefore read a second time. What never ends is left to the timeout of
   * the profile `fuzz`.
   *
   * While fuzzing, Jazzer's hooks allocate much more than what they are in, and even its square. So
   * allocations are counted in the ordinary build only, which replays the inputs, and the small heap
   * of the profile `fuzz` limits what is held at once.
   */

  private static final boolean IS_FUZZING = System.getenv("JAZZER_FUZZ") != null;

  private static final long NANOS = 1_000_000_000;
  private static final long NANOS_PER_BYTE = 2_000;
  private static final long BYTES = 64 << 20;
  private static final long BYTES_PER_BYTE = 4_000;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private InputBudget() {}

  /** Reads an input, and fails if that takes too much. */
  public static <E extends Exception> void check(int inputBytes, Reading<E> reading) throws E {
    if (isWithin(inputBytes, spentOn(reading))) {
      return;
    }
    Spent again = spentOn(reading);
    assertThat(isWithin(inputBytes, again))
        .as("%d bytes of input took %s, twice too much", inputBytes, again)
        .isTrue();
  }

  private static boolean isWithin(int inputBytes, Spent spent) {
    return spent.nanos <= NANOS + inputBytes * NANOS_PER_BYTE
        && (IS_FUZZING || spent.bytes <= BYTES + inputBytes * BYTES_PER_BYTE);
  }

  private static <E extends Exception> Spent spentOn(Reading<E> reading) throws E {
    long nanos = THREADS.getCurrentThreadCpuTime();
    long bytes = THREADS.getCurrentThreadAllocatedBytes();
    reading.read();
    return new Spent(
        THREADS.getCurrentThreadCpuTime() - nanos,
        THREADS.getCurrentThreadAllocatedBytes() - bytes);
  }

  /**
   * What reading takes.
   *
   * @param nanos CPU time
   * @param bytes memory allocated, freed or not
   */
  private record Spent(long nanos, long bytes) {}

  /**
   * Reads an input, and checks what is promised of it.
   *
   * @param <E> what it may throw, which is a finding
   */
  public interface Reading<E extends Exception> {
    void read() throws E;
  }
}
