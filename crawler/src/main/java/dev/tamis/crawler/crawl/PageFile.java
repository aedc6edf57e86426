package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.file.FileErrors;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A list of pages in a file, which can be resumed after the process was killed at any instant. */
final class PageFile implements PageList {

  /*
   * A row is written before its visit is acknowledged to the queue, and nothing is written in
   * between. So the file has as many rows as the queue has visits done, or one more at its end whose
   * visit was not acknowledged. Resuming truncates that row, as the page is visited and listed
   * again, and a torn row after it.
   *
   * A RandomAccessFile, because interrupting a thread that writes to a FileChannel closes it.
   */

  private final Path path;
  private final RandomAccessFile file;

  private PageFile(Path path, RandomAccessFile file) {
    this.path = path;
    this.file = file;
  }

  /**
   * Resumes a list, or begins one.
   *
   * @param visitsDone visits done according to the queue
   * @param tally counts the rows
   * @throws FileSystemException if the file is not a list of pages or belongs to another queue
   */
  static PageFile resume(Path path, long visitsDone, PageTally tally) throws IOException {
    if (Files.notExists(path)) {
      if (visitsDone > 0) {
        throw mismatch(path, visitsDone, "no file");
      }
      Files.createFile(path);
    }
    PageFile list = new PageFile(path, open(path));
    try {
      list.reconcile(visitsDone, tally);
      return list;
    } catch (IOException | RuntimeException e) {
      list.close();
      throw e;
    }
  }

  private void reconcile(long visitsDone, PageTally tally) throws IOException {
    PageScan scan = PageScan.of(path, tally);
    long end = scan.end();
    long rows = tally.total();
    @Nullable Outcome last = scan.last();
    if (rows == visitsDone + 1 && last != null) {
      tally.remove(last);
      end = scan.lastStart();
    } else if (rows != visitsDone) {
      throw mismatch(path, visitsDone, String.valueOf(rows));
    }
    file.setLength(end);
    file.seek(end);
    if (end == 0) {
      line(PageRow.HEADER);
    }
  }

  private static FileSystemException mismatch(Path path, long visits, String found) {
    String rule = "list of pages: must have the " + visits + " visits of the queue, got " + found;
    return new FileSystemException(
        path.toString(), null, rule + "; use the file the crawl began with");
  }

  @Override
  public void add(PageResult page) throws IOException {
    line(PageRow.of(page));
  }

  private void line(String line) throws IOException {
    try {
      file.write((line + "\n").getBytes(UTF_8));
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  private static RandomAccessFile open(Path path) throws FileSystemException {
    try {
      return new RandomAccessFile(path.toString(), "rw");
    } catch (IOException e) {
      throw FileErrors.named(path, e);
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }

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
            throw damaged(
                path, lines + 1, "must be at most " + PageRow.MAX_BYTES + " bytes", "more");
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
}
