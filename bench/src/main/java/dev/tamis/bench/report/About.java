package dev.tamis.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a reader must know about a run to make sense of its times. */
final class About {

  private About() {}

  /** Returns the command, today's date, the machine and this JVM as a paragraph. */
  static String text(String command) throws IOException {
    String jvm =
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version");
    LocalDate today = LocalDate.now(ZoneOffset.UTC);
    return "`" + command + "`, " + today + ". " + machine() + ".\n" + jvm + ".\n";
  }

  /** Returns what this machine is, as far as a Linux kernel says. */
  private static String machine() throws IOException {
    String cpu = first("/proc/cpuinfo", "model name\\s*:\\s*(.*)", "%s");
    return (cpu.isEmpty() ? System.getProperty("os.arch") : cpu)
        + String.format(Locale.ROOT, ", %d cores", Runtime.getRuntime().availableProcessors())
        + first("/sys/devices/system/cpu/cpu0/cache/index2/size", "(.*)", ", L2 %s")
        + first("/sys/devices/system/cpu/cpu0/cache/index3/size", "(.*)", ", L3 %s")
        + first("/proc/meminfo", "MemTotal:\\s*(\\d+)\\d{6} kB", ", %s GB")
        + first(
            "/sys/kernel/mm/transparent_hugepage/enabled",
            ".*\\[(\\w+)\\].*",
            ", transparent huge pages: %s");
  }

  /** Returns the first match in a file by {@code format}; empty if there is none. */
  private static String first(String file, String pattern, String format) throws IOException {
    if (Files.isReadable(Path.of(file))) {
      for (String line : Files.readAllLines(Path.of(file))) {
        Matcher matcher = Pattern.compile(pattern).matcher(line);
        if (matcher.matches()) {
          return String.format(Locale.ROOT, format, matcher.group(1).strip());
        }
      }
    }
    return "";
  }
}
