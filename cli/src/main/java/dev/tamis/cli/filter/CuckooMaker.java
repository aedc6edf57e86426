package dev.tamis.cli.filter;

import dev.tamis.FilterFullException;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.report.Report;
import dev.tamis.filter.CuckooFilter;
import java.io.IOException;

/** Builds cuckoo filters, in which every line is one put until the filter is full. */
final class CuckooMaker implements FilterMaker {

  private final CuckooFilter<Line> filter;
  private final CapacityWatch capacity;
  private long lines;
  private long unique;

  CuckooMaker(BuildRequest request) throws IOException {
    request.refuseMemory("leave it out, and give the -n that tamis size -m -p prints");
    Long given = request.sizing().expectedKeys();
    long keys = given != null ? given : request.countedLines().orElseThrow();
    this.filter = CuckooFilter.create(request.hasher(), keys, request.sizing().fpp());
    this.capacity = request.watch(filter);
  }

  @Override
  public void take(LineReader reader, int count) {
    for (int i = 0; i < count; i++) {
      lines++;
      try {
        unique += filter.putHash(reader.hashes()[i]) ? 1 : 0;
      } catch (FilterFullException e) {
        throw full();
      }
    }
    capacity.accepted(unique);
  }

  private CommandException full() {
    return new CommandException(
        "line %d: the filter is full, sized for %d lines; raise -n, or run tamis dedup first:"
            + " copies of one line share eight slots",
        lines, filter.expectedKeys());
  }

  @Override
  public BuildResult finish() {
    long stored = filter.approximateElementCount().rounded();
    return BuildResult.of(filter, lines, unique, new Report().count("stored", stored), capacity);
  }
}
