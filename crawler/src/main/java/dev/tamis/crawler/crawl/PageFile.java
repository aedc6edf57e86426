package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.file.FileErrors;
import java.io.IOException;
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
   * Starts a list.
   *
   * @throws FileSystemException if the file exists or cannot be written
   */
  static PageFile begin(Path path) throws IOException {
    Files.createFile(path);
    PageFile list = new PageFile(path, open(path));
    list.line(PageRow.HEADER);
    return list;
  }

  /**
   * Resumes a list.
   *
   * @param visitsDone visits done according to the queue
   * @param tally counts the rows
   * @throws FileSystemException if the file is not a list of pages or belongs to another queue
   */
  static PageFile resume(Path path, long visitsDone, PageTally tally) throws IOException {
    if (visitsDone == 0 && Files.notExists(path)) {
      return begin(path);
    }
    if (Files.notExists(path)) {
      throw mismatch(path, visitsDone, "no file");
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
}
