package dev.tamis.cli.filter;

import dev.tamis.DropAware;
import dev.tamis.Filter;
import dev.tamis.Storable;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.report.Report;
import java.util.OptionalDouble;

/** Builds a filter of lines that are read once. */
interface FilterMaker {

  /** Puts the {@code count} lines that the reader is at, hashed as the filter's keys are. */
  void take(LineReader reader, int count);

  /** Returns the filter, once there are no more lines. */
  BuildResult finish();

  /**
   * A filter with the figures for its summary.
   *
   * @param filter the filter of all lines
   * @param lines how many lines were put
   * @param unique those of them that the filter reported as new
   * @param particulars further figures of this type
   * @param capacity watched the filter while it was filled
   */
  record BuildResult(
      Loaded.OfFilter filter, long lines, long unique, Report particulars, CapacityWatch capacity) {

    static <F extends Filter<Line> & Storable> BuildResult of(
        F filter, long lines, long unique, Report particulars, CapacityWatch capacity) {
      return new BuildResult(Loaded.OfFilter.of(filter), lines, unique, particulars, capacity);
    }

    private OptionalDouble wrongDrops() {
      return filter.filter() instanceof DropAware aware
          ? OptionalDouble.of(aware.expectedWrongDrops())
          : OptionalDouble.empty();
    }

    Report summary() {
      return new Report()
          .count("lines", lines)
          .count("unique", unique)
          .count("duplicates", lines - unique)
          .all(particulars)
          .number("fpp", filter.filter().expectedFpp())
          .known("expected-wrong-drops", wrongDrops())
          .memory((filter.filter().bitSize() + Byte.SIZE - 1) / Byte.SIZE);
    }
  }
}
