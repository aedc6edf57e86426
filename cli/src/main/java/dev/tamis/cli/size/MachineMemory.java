package dev.tamis.cli.size;

import dev.tamis.cli.report.NumberFormats;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** The memory of a machine, in bytes. */
public record MachineMemory(long bytes) {

  private static final int DECIMALS = 3;

  /**
   * Returns the memory of this machine, or of the container; no limit if Java was linked without
   * the module that tells it, jdk.management.
   */
  public static MachineMemory ofThisMachine() {
    try { // by its name, because the interface with the method is no part of Java
      Object bytes =
          ManagementFactory.getPlatformMBeanServer()
              .getAttribute(
                  new ObjectName(ManagementFactory.OPERATING_SYSTEM_MXBEAN_NAME),
                  "TotalMemorySize");
      return new MachineMemory((Long) bytes);
    } catch (JMException e) {
      return new MachineMemory(Long.MAX_VALUE);
    }
  }

  boolean isExceededBy(SizeRow row) {
    return row.bytes() > bytes;
  }

  String note(SizeRow row) {
    return isExceededBy(row)
        ? "more than the " + NumberFormats.bytes((double) bytes, DECIMALS, " ") + " of this machine"
        : "";
  }
}
