package dev.tamis.cli;

import dev.tamis.Filter;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.kit.file.FilterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** Filters in files that are to be looked at together. */
final class FilterFiles {

  private FilterFiles() {}

  /** Reads a filter of fixed size; refuses one that grows. */
  static BloomFilter<Line> bloom(Path path) throws IOException {
    Filter<Line> filter = FilterFile.load(path, Line.HASHER);
    if (filter instanceof BloomFilter<Line> bloom) {
      return bloom;
    }
    throw new CommandException(
        path
            + ": is scalable, and such filters cannot be combined; build it with -n and a -t"
            + " that is not scalable");
  }

  /** Checks that two filters can be combined. */
  static void requireCompatible(
      Path firstPath, BloomFilter<Line> first, Path secondPath, BloomFilter<Line> second) {
    first
        .incompatibility(second)
        .ifPresent(
            reason -> {
              throw new CommandException(
                  String.format(
                      Locale.ROOT,
                      "%s and %s: cannot be combined: %s; build both with the same -n, -p and -t",
                      firstPath,
                      secondPath,
                      reason));
            });
  }
}
