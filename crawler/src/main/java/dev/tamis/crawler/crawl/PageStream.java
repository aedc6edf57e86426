package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;

/** A list of pages that goes to a stream and cannot be continued. */
final class PageStream implements PageList {

  private final OutputStream out;

  private PageStream(OutputStream out) {
    this.out = out;
  }

  /** Starts a list with its header. The stream is left open in the end. */
  static PageStream begin(OutputStream out) throws IOException {
    PageStream list = new PageStream(out);
    list.line(PageRow.HEADER);
    return list;
  }

  @Override
  public void add(Visited page) throws IOException {
    line(PageRow.of(page));
  }

  private void line(String line) throws IOException {
    out.write((line + "\n").getBytes(UTF_8));
    out.flush();
  }

  @Override
  public void close() {}
}
