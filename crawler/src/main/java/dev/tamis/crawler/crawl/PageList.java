package dev.tamis.crawler.crawl;

import java.io.Closeable;
import java.io.IOException;

/** Where visits are written down, one after the other. */
interface PageList extends Closeable {

  /** Writes a visit down. When this returns, the end of the process does not lose it. */
  void add(Visited page) throws IOException;
}
