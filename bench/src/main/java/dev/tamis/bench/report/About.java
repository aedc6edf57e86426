package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a reader must know about a run to make sense of its times.
 *
 * @param command what was typed
 * @param date the day, as 2026-11-20
 * @param machine processor, cores, caches and memory
 * @param jvm name and version of the JVM
 */
record About(String command, String date, String machine, String jvm) {

  private static final Path PROCESSOR = Path.of("/proc/cpuinfo");
  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final Path CACHES = Path.of("/sys/devices/system/cpu/cpu0/cache");
  private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");
  private static final double KIBIBYTES_A_GIBIBYTE = 1 << 20;

  /** Returns what this JVM is. */
  static String thisJvm() {
    return System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version");
  }

  /** Returns what this machine is, as far as a Linux kernel tells. */
  static String thisMachine() throws IOException {
    int cores = Runtime.getRuntime().availableProcessors();
    StringBuilder text = new StringBuilder();
    text.append(first(PROCESSOR, "model name\\s*:\\s*(.*)").orElse(System.getProperty("os.arch")));
    text.append(cores == 1 ? ", 1 core" : ", " + cores + " cores");
    text.append(cache(2)).append(cache(3));
    first(MEMORY, "MemTotal:\\s*(\\d+) kB")
        .ifPresent(
            kibibytes ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        ", %.0f GB",
                        Long.parseLong(kibibytes) / KIBIBYTES_A_GIBIBYTE)));
    first(HUGE_PAGES, ".*\\[(\\w+)\\].*")
        .ifPresent(mode -> text.append(", transparent huge pages: ").append(mode));
    return text.toString();
  }

  /** Returns the size of the data cache of that level that the first core sees. */
  private static String cache(int level) throws IOException {
    if (!Files.isDirectory(CACHES)) {
      return "";
    }
    List<Path> folders;
    try (Stream<Path> children = Files.list(CACHES)) {
      folders = children.filter(child -> Files.isRegularFile(child.resolve("level"))).toList();
    }
    for (Path folder : folders) {
      boolean holdsData = !Files.readString(folder.resolve("type"), UTF_8).startsWith("Instr");
      String found = Files.readString(folder.resolve("level"), UTF_8).strip();
      if (holdsData && found.equals(String.valueOf(level))) {
        return ", L" + level + " " + Files.readString(folder.resolve("size"), UTF_8).strip();
      }
    }
    return "";
  }

  private static Optional<String> first(Path file, String pattern) throws IOException {
    if (!Files.isReadable(file)) {
      return Optional.empty();
    }
    Pattern compiled = Pattern.compile(pattern);
    for (String line : Files.readAllLines(file, UTF_8)) {
      Matcher matcher = compiled.matcher(line);
      if (matcher.matches()) {
        return Optional.of(matcher.group(1).strip());
      }
    }
    return Optional.empty();
  }
}
