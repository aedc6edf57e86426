package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.file.FileErrors;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A list of pages in a file, which can be continued after the process was killed at any instant.
 */
final class PageFile implements PageList {

  /*
   * A row is written before the queue is told that the visit is done, and nothing is written in
   * between. So the file has as many rows as the queue has visits done, or one more at its end,
   * whose visit is still to be done in the eyes of the queue. That row is taken away: the page is
   * visited again and listed then. A row of which only a part was written is taken away too.
   *
   * A RandomAccessFile, because a FileChannel is closed when a thread that writes is interrupted.
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
   * @throws FileSystemException if the file is there already, or cannot be written
   */
  static PageFile begin(Path path) throws IOException {
    Files.createFile(path);
    PageFile list = new PageFile(path, open(path));
    list.line(PageRow.HEADER);
    return list;
  }

  /**
   * Continues a list.
   *
   * @param visitsDone how many the queue knows of
   * @param tally what to add the rows to
   * @throws FileSystemException if the file is no list of pages or belongs to another queue
   */
  static PageFile resume(Path path, long visitsDone, PageTally tally) throws IOException {
    if (visitsDone == 0 && Files.notExists(path)) {
      return begin(path);
    }
    if (Files.notExists(path)) {
      throw new FileSystemException(
          path.toString(),
          null,
          "is missing, but "
              + visitsDone
              + " visits of the queue are done; name the file that the crawl began with");
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
      tally.takeBack(last);
      end = scan.lastStart();
    } else if (rows != visitsDone) {
      throw new FileSystemException(
          path.toString(),
          null,
          "lists "
              + rows
              + " pages, but "
              + visitsDone
              + " visits of the queue are done; name the file that the crawl began with");
    }
    file.setLength(end);
    file.seek(end);
    if (end == 0) {
      line(PageRow.HEADER);
    }
  }

  @Override
  public void add(Visited page) throws IOException {
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
