package dev.tamis.crawler.crawl;

/** A page cannot be parsed, or not in time; the message is for its row. */
final class UnreadablePageException extends Exception {

  private static final long serialVersionUID = 1;

  UnreadablePageException(String message) {
    super(message);
  }
}
