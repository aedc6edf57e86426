package dev.tamis.cli.dedup;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.tools.dedup.Deduplicator;
import java.io.IOException;

/**
 * {@code tamis dedup} with a filter on a server, to which every batch of lines is sent before it is
 * printed.
 *
 * <p>So all clients of the filter together print a line at most once; what a run had put but not
 * printed when it was stopped, at most one batch, is never printed.
 */
final class RedisDedup {

  private final RedisName place;
  private final Deduplicator<Line> dedup;
  private final CapacityWatch capacity;
  private final boolean[] first = new boolean[RedisFilters.BATCH];

  RedisDedup(RedisName place, Deduplicator<Line> dedup, CapacityWatch capacity) {
    this.place = place;
    this.dedup = dedup;
    this.capacity = capacity;
  }

  /** Prints the lines that are new, or those that are not. */
  void run(LineReader reader, LineWriter writer, boolean duplicates) throws IOException {
    for (int count = reader.next(); count > 0; count = reader.next()) {
      try {
        dedup.firstSeenHashes(reader.hashes(), count, first);
      } catch (RuntimeException e) {
        int known = RedisFilters.firstUncertain(e).orElse(0);
        writer.write(reader, first, known, !duplicates);
        writer.flush();
        throw inDoubt(reader.lines() - count + known + 1, reader.lines(), e);
      }
      writer.write(reader, first, count, !duplicates);
      capacity.accepted(dedup.unique());
      writer.flush(); // a run that is killed has put a batch at most that it did not print
    }
  }

  private CommandException inDoubt(long from, long to, RuntimeException e) {
    return new CommandException(
        place
            + ": "
            + e.getMessage()
            + "; lines "
            + from
            + " to "
            + to
            + " of the input may be in the filter and were not printed; all lines before them"
            + " were");
  }
}
