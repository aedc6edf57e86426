package dev.tamis.format;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** How much this thread has allocated since it began, as the JVM counts it. */
final class Allocation {

  private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();
  private static final String[] SIGNATURE = {"long"};

  private Allocation() {}

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
