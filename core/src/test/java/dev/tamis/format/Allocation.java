package dev.tamis.format;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.assertj.core.api.ThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** How much this thread has allocated since it began, as the JVM counts it. */
final class Allocation {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final String[] SIGNATURE = {"long"};

  private Allocation() {}

  /**
   * Returns how many bytes it takes to do something, failures included: the least of a few times,
   * because now and then the JVM allocates for itself, as when a class is loaded.
   */
  static long leastOf(ThrowingCallable doing) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 5; i++) {
      long before = bytes();
      ThrowableAssert.catchThrowable(doing);
      least = Math.min(least, bytes() - before);
    }
    return least;
  }

  static long bytes() {
    // by name, because the interface that has the method is not one of Java's own
    try {
      Object[] thread = {Thread.currentThread().getId()};
      ObjectName threads = new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME);
      return (long) SERVER.invoke(threads, "getThreadAllocatedBytes", thread, SIGNATURE);
    } catch (JMException e) {
      throw new IllegalStateException("this JVM does not count allocated bytes", e);
    }
  }
}
