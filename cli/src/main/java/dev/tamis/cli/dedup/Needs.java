package dev.tamis.cli.dedup;

import dev.tamis.cli.console.Messages;
import dev.tamis.cli.report.Facts;
import dev.tamis.cli.report.Figures;
import dev.tamis.cli.report.SummaryOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What a run may take, as far as that is known before it begins.
 *
 * @param filterBytes the memory of the filter
 * @param temporaryBytes the most that temporary files can take, 0 if there are none
 * @param directory where these are
 */
record Needs(long filterBytes, long temporaryBytes, Path directory) {

  /** Less is at hand anywhere. */
  private static final long ANNOUNCED_BYTES = 64 << 20;

  /** Prints them for people, if they are large. */
  void announce(SummaryOptions report, Messages err) throws IOException {
    if (filterBytes < ANNOUNCED_BYTES && temporaryBytes < ANNOUNCED_BYTES) {
      return;
    }
    String line = "tamis dedup: filter " + size(filterBytes);
    if (temporaryBytes > 0) {
      long free = Files.getFileStore(directory).getUsableSpace();
      line +=
          ", at most "
              + size(temporaryBytes)
              + " in "
              + directory
              + (free < temporaryBytes ? ", where " + size(free) + " are free" : "");
    }
    report.remark(line, err);
  }

  /** Returns a number of bytes as messages have it. */
  static String size(long bytes) {
    return Figures.bytes((double) bytes, 1, " ");
  }

  /** Adds them to the JSON of a summary. */
  Facts addTo(Facts summary) {
    return summary
        .planned("planned_filter", filterBytes)
        .planned("planned_temporary", temporaryBytes);
  }
}
