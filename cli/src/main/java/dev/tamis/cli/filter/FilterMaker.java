package dev.tamis.cli.filter;

import dev.tamis.Filter;
import dev.tamis.Sized.Capacity;
import dev.tamis.Storable;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.Descriptions;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.place.KeyOptions;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.report.Report;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/** Builds a filter of lines that are read once. */
interface FilterMaker {

  /** Puts the lines of the reader that have a key, hashed as the filter's keys are. */
  void take(LineReader reader);

  /** Returns the filter, once there are no more lines. */
  BuildResult finish();

  /**
   * A filter with the figures for its summary.
   *
   * @param lines those that have a key
   * @param particulars depend on the type
   */
  record BuildResult(
      Loaded.OfFilter filter, long lines, long unique, Report particulars, CapacityWatch capacity) {

    static <F extends Filter<Line> & Storable> BuildResult of(
        F filter, long lines, long unique, Report particulars, CapacityWatch capacity) {
      return new BuildResult(Loaded.OfFilter.of(filter), lines, unique, particulars, capacity);
    }

    /** Returns the figures, with the number of all lines. */
    Report summary(long all) {
      return Descriptions.filled(filter.filter(), all, unique, lines - unique, particulars);
    }
  }

  /** What the command line requests of a filter to be built. */
  record Request(
      FilterType type,
      FilterOptions sizing,
      KeyHasher<Line> hasher,
      Inputs inputs,
      KeyOptions keyOptions,
      byte delimiter,
      Messages err) {

    CapacityWatch watch(Filter<Line> filter) {
      return new CapacityWatch("build", filter, err);
    }

    CapacityWatch watch(Filter<Line> filter, Capacity capacity) {
      return new CapacityWatch("build", filter, capacity, err);
    }

    /** Returns a finder of keys. */
    LineKey newKey() {
      return keyOptions.newKey(delimiter);
    }

    /** Returns the number of keys, by counting the lines if {@code -n} is missing. */
    long keys() throws IOException {
      Long given = sizing.expectedKeys();
      return given != null ? given : countedLines().orElseThrow();
    }

    /** Counts the lines if the options do not imply a number and the files can be reread. */
    OptionalLong countedLines() throws IOException {
      boolean needed =
          sizing.expectedKeys() == null && (sizing.memoryBytes() == null || !sizing.hasFpp());
      if (!needed) {
        return OptionalLong.empty();
      }
      if (inputs.areRegularFiles()) {
        return OptionalLong.of(Math.max(1, inputs.countKeys(keyOptions.uncounted(delimiter))));
      }
      if (sizing.memoryBytes() != null) {
        return OptionalLong.empty();
      }
      throw new CommandException(
          "-n is required, because lines from a pipe cannot be counted first; give the expected"
              + " number of distinct lines, or let the filter grow with -t scalable");
    }

    /** Refuses {@code -m} for a type whose size it cannot set. */
    void refuseMemory(String advice) {
      if (sizing.memoryBytes() != null) {
        throw new CommandException("-m cannot set the memory of a %s filter; %s", type, advice);
      }
    }

    /** Refuses {@code -n} and {@code -m} for a type that is built once all lines are known. */
    void refuseSize() {
      List<String> given = sizing.sizeOptions();
      if (!given.isEmpty()) {
        throw new CommandException(
            "%s cannot size a %s filter, whose size follows from the distinct lines and -p; leave"
                + " it out",
            String.join(" and ", given), type);
      }
    }
  }
}
