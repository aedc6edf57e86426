package dev.tamis.cli.filter;

import dev.tamis.Filter;
import dev.tamis.Storable;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.Descriptions;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.report.Report;

/** Builds a filter of lines that are read once. */
interface FilterMaker {

  /** Puts {@code count} lines of the reader, hashed as the filter's keys are. */
  void take(LineReader reader, int count);

  /** Returns the filter, once there are no more lines. */
  BuildResult finish();

  /**
   * A filter with the figures for its summary.
   *
   * @param unique the lines that the filter reported as new
   * @param particulars further figures of this type
   */
  record BuildResult(
      Loaded.OfFilter filter, long lines, long unique, Report particulars, CapacityWatch capacity) {

    static <F extends Filter<Line> & Storable> BuildResult of(
        F filter, long lines, long unique, Report particulars, CapacityWatch capacity) {
      return new BuildResult(Loaded.OfFilter.of(filter), lines, unique, particulars, capacity);
    }

    Report summary() {
      return Descriptions.filled(filter.filter(), lines, unique, particulars);
    }
  }
}
