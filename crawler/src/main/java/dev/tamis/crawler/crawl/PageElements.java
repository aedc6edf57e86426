package dev.tamis.crawler.crawl;

import java.io.ByteArrayInputStream;
import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.parser.Parser;
import org.jsoup.parser.StreamParser;

/** The elements of a page in the order in which they end, read in bounded time and memory. */
final class PageElements {

  /*
   * A tree costs up to 50 times the bytes of its page, half a gigabyte for one of 10 MiB, in each of
   * several threads. So no tree is kept: what has been seen is removed. It is removed with all
   * siblings before it and all that is left in it, since the parser does not report each element
   * that it moves, and since removing a node alone takes time for each sibling.
   *
   * The parser cannot be interrupted, but asks its reader for the next few kilobytes soon whatever
   * the page is like, as the depth of the tree is limited.
   */

  private static final int MAX_DEPTH = 512;

  /** What the parser itself searches for the name of a character set. */
  private static final int CHARSET_BYTES = 5 << 10;

  private PageElements() {}

  /**
   * Parses a page.
   *
   * @param charset the character set named by the server; if empty or unknown, the page's own is
   *     used
   * @param seen takes each element when it ends, without its content
   */
  static void forEach(
      byte[] body,
      Parser parser,
      Optional<String> charset,
      Deadline deadline,
      Consumer<Element> seen)
      throws UnreadablePageException, InterruptedException {
    parser.setMaxDepth(MAX_DEPTH);
    Charset read = charset(body, parser.newInstance(), charset.filter(PageElements::isCharset));
    try (StreamParser stream = new StreamParser(parser)) {
      Reader in = new InputStreamReader(new ByteArrayInputStream(body), read);
      Iterator<Element> elements = stream.parse(deadline.reader(in), "").iterator();
      while (elements.hasNext()) {
        see(elements.next(), seen);
        deadline.check();
      }
    } catch (RuntimeException e) {
      deadline.check(); // it may have stopped the parser
      throw new UnreadablePageException("the parser failed: " + e);
    }
  }

  private static Charset charset(byte[] body, Parser parser, Optional<String> named) {
    int length = Math.min(body.length, CHARSET_BYTES);
    try {
      return Jsoup.parse(new ByteArrayInputStream(body, 0, length), named.orElse(null), "", parser)
          .charset();
    } catch (IOException e) {
      throw new AssertionError("the bytes are in memory", e);
    }
  }

  private static boolean isCharset(String name) {
    try {
      return Charset.isSupported(name);
    } catch (IllegalCharsetNameException e) {
      return false;
    }
  }

  /** Passes on an element and those before it that were not reported, and removes them. */
  private static void see(Element last, Consumer<Element> seen) {
    Element parent = last.parent();
    if (parent == null) {
      seen.accept(last);
      return;
    }
    List<Node> siblings = parent.childNodes();
    int end = siblings.indexOf(last) + 1;
    List<Node> open = List.copyOf(siblings.subList(end, siblings.size()));
    for (Node node : List.copyOf(siblings.subList(0, end))) {
      if (node instanceof Element element) {
        element.stream().forEach(seen);
        element.empty();
      }
    }
    parent.empty();
    parent.appendChildren(open);
  }

  /** The time by which reading a page must have ended. */
  record Deadline(Duration time, long startNanos) {

    /** Returns the deadline that is this far away. */
    static Deadline in(Duration time) {
      return new Deadline(time, System.nanoTime());
    }

    /**
     * Throws if the time is over.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    void check() throws UnreadablePageException, InterruptedException {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (isOver()) {
        throw new UnreadablePageException("not parsed in " + time.toMillis() + " ms");
      }
    }

    private boolean isOver() {
      return System.nanoTime() - startNanos > time.toNanos();
    }

    /** Returns a reader that fails once the time is over or the thread is interrupted. */
    Reader reader(Reader in) {
      return new FilterReader(in) {
        @Override
        public int read(char[] buffer, int offset, int length) throws IOException {
          if (isOver() || Thread.currentThread().isInterrupted()) {
            throw new IOException("stopped");
          }
          return super.read(buffer, offset, length);
        }
      };
    }
  }

  /** A page cannot be parsed, or not in time; the message is for its row. */
  static final class UnreadablePageException extends Exception {

    private static final long serialVersionUID = 1;

    UnreadablePageException(String message) {
      super(message);
    }
  }
}
