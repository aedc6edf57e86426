package dev.tamis.crawler.crawl;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Outcome of a visit. */
public enum Outcome {
  /** A page of HTML, whose links were followed. */
  PAGE,
  /** A resource that is not HTML; its body was not read. */
  FILE,
  /** A redirect, whose target is a visit of its own if in scope. */
  REDIRECT,
  /** Status 4xx. */
  CLIENT_ERROR,
  /** Status 5xx, or any other that is neither success nor redirect. */
  SERVER_ERROR,
  /** Not requested: robots.txt disallows it or could not be fetched. */
  DISALLOWED,
  /** A page larger than the limit, abandoned. */
  TOO_LARGE,
  /** No complete response within the timeout. */
  TIMED_OUT,
  /** No connection, or it failed. */
  UNREACHABLE,
  /** Not requested: its host has no public address. */
  REFUSED,
  /**
   * A page whose encoding is not supported or damaged, or that cannot be parsed, or not in time.
   */
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
