package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Offsets of the rows in a list of pages.
 *
 * @param end the end of the last complete line
 * @param lastStart the start of the last complete row
 * @param last the outcome of that row; null if there is no row
 */
record PageScan(long end, long lastStart, @Nullable Outcome last) {

  /**
   * Scans a list.
   *
   * @param tally counts the rows
   * @throws FileSystemException naming the line that is not a row
   */
  static PageScan of(Path path, PageTally tally) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      return of(path, in, tally);
    }
  }

  static PageScan of(Path path, InputStream in, PageTally tally) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    PageScan scan = new PageScan(0, 0, null);
    long lines = 0;
    for (int b = in.read(); b >= 0; b = in.read()) {
      if (b != '\n') {
        line.write(b);
        if (line.size() > PageRow.MAX_BYTES) {
          throw damaged(path, lines + 1, "must be at most " + PageRow.MAX_BYTES + " bytes", "more");
        }
        continue;
      }
      lines++;
      String text = line.toString(UTF_8);
      long end = scan.end + line.size() + 1;
      scan = lines == 1 ? header(path, text, end) : scan.row(path, lines, text, end);
      if (scan.last != null) {
        tally.add(scan.last);
      }
      line.reset();
    }
    if (lines == 0 && !PageRow.HEADER.startsWith(line.toString(UTF_8))) {
      throw notTheHeader(
          path, line.toString(UTF_8)); // or a file that is not a list would be truncated
    }
    return scan;
  }

  private static PageScan header(Path path, String text, long end) throws FileSystemException {
    if (!text.equals(PageRow.HEADER)) {
      throw notTheHeader(path, text);
    }
    return new PageScan(end, end, null);
  }

  private PageScan row(Path path, long number, String text, long newEnd)
      throws FileSystemException {
    Outcome outcome =
        PageRow.outcome(text)
            .orElseThrow(() -> damaged(path, number, "must be a row", "'" + start(text) + "'"));
    return new PageScan(newEnd, end, outcome);
  }

  private static FileSystemException notTheHeader(Path path, String text) {
    return damaged(path, 1, "must be the column names", "'" + start(text) + "'");
  }

  private static FileSystemException damaged(Path path, long line, String rule, String found) {
    return new FileSystemException(
        path + ":" + line,
        null,
        "list of pages: " + rule + ", got " + found + "; use the file the crawl began with");
  }

  private static String start(String text) {
    return text.substring(0, Math.min(text.length(), 40));
  }
}
