package dev.tamis.cli.filter;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What the command line asks of a filter that is to be built.
 *
 * @param type of which type it is
 * @param sizing how large it is
 * @param hasher how its lines are hashed
 * @param inputs where they come from
 */
record BuildRequest(FilterType type, FilterOptions sizing, KeyHasher<Line> hasher, Inputs inputs) {

  /** Returns how many lines there are, where the options do not say and files can be counted. */
  OptionalLong countedLines() throws IOException {
    boolean needed =
        sizing.expectedKeys() == null && (sizing.memoryBytes() == null || !sizing.hasFpp());
    if (!needed) {
      return OptionalLong.empty();
    }
    if (inputs.areRegularFiles()) {
      return OptionalLong.of(Math.max(1, inputs.countLines()));
    }
    if (sizing.memoryBytes() != null) {
      return OptionalLong.empty();
    }
    throw new CommandException(
        "-n is needed, because lines from a pipe cannot be counted first; say how many distinct"
            + " lines to expect, or let the filter grow with -t scalable");
  }

  /** Refuses {@code -m} for a type whose memory follows from something else. */
  void refuseMemory(String advice) {
    if (sizing.memoryBytes() != null) {
      throw new CommandException(
          String.format(Locale.ROOT, "-m cannot fix the memory of a %s filter; %s", type, advice));
    }
  }

  /** Refuses {@code -n} and {@code -m} for a type that is built when all lines are known. */
  void refuseSize() {
    List<String> given = sizing.sizeOptions();
    if (!given.isEmpty()) {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "%s cannot size a %s filter, whose size follows from the distinct lines and -p;"
                  + " leave it out",
              String.join(" and ", given),
              type));
    }
  }
}
