package dev.tamis.cli.block;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The messages about single lines of {@code tamis block}, of which only the first are shown. */
final class BlockLines {

  private BlockLines() {}

  static List<String> refusal(long count, List<String> first) {
    List<String> lines = new ArrayList<>(first);
    lines.add(
        count(count, first) + "nothing was written; fix the lines, or skip them with --skip-bad");
    return lines;
  }

  /** Returns the warnings, none if there is nothing to warn of. */
  static List<String> warnings(String what, long count, List<String> first) {
    List<String> lines = new ArrayList<>();
    first.forEach(line -> lines.add("warning: " + what + ": " + line));
    if (count > first.size()) {
      lines.add("warning: " + count(count, first) + "see the summary");
    }
    return lines;
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String count(long count, List<String> first) {
    return count > first.size()
        ? String.format(Locale.ROOT, "and %d more lines; ", count - first.size())
        : "";
  }

  /** Loads a block list, with the secret key if one was named. */
  static Blocklist load(Path path, KeyFile keyFile) throws IOException {
    return keyFile.load(
        path,
        (file, hasher) -> {
          Optional<HashKey> key = hasher.hashKey();
          return key.isPresent() ? Blocklist.load(file, key.get()) : Blocklist.load(file);
        },
        Blocklist::hashIdOf);
  }
}
