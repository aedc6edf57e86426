package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;

/** A list of the pages visited. */
interface PageList extends Closeable {

  /** Appends a row. When this returns, the row survives the end of the process. */
  void add(PageResult page) throws IOException;

  /** Starts a list on a stream, which is not closed and cannot be resumed. */
  static PageList to(OutputStream out) throws IOException {
    PageStream list = new PageStream(out);
    list.line(PageRow.HEADER);
    return list;
  }

  /** A list on a stream, which is flushed after each row. */
  record PageStream(OutputStream out) implements PageList {

    @Override
    public void add(PageResult page) throws IOException {
      line(PageRow.of(page));
    }

    private void line(String line) throws IOException {
      out.write((line + "\n").getBytes(UTF_8));
      out.flush();
    }

    @Override
    public void close() {}
  }
}
