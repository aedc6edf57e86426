package dev.tamis.crawler.crawl;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** What a visit came to. */
public enum Outcome {
  /** A page of HTML, whose links were followed. */
  PAGE,
  /** Something else that is there; it was not read. */
  FILE,
  /** The server named another place, which is visited on its own if it is wanted. */
  REDIRECT,
  /** The server says that the URL is no good: status 4xx. */
  CLIENT_ERROR,
  /** The server failed, status 5xx, or sent a status that is no answer. */
  SERVER_ERROR,
  /** robots.txt forbids it, or could not be had: nothing was asked for. */
  DISALLOWED,
  /** A page with more bytes than a page may have: given up. */
  TOO_LARGE,
  /** No answer came in time, or not all of it. */
  TIMED_OUT,
  /** There was no connection, or it broke. */
  UNREACHABLE,
  /** A page in an encoding that is unknown or damaged. */
  UNREADABLE;

  /** Returns the name in a list of pages, such as {@code client-error}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the outcome with this label. */
  static Optional<Outcome> of(String label) {
    return Stream.of(values()).filter(outcome -> outcome.label().equals(label)).findFirst();
  }
}
