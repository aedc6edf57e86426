package dev.tamis.crawler.crawl;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A row of a list of pages: tab-separated fields. */
final class PageRow {

  /** The first line of a list. */
  static final String HEADER =
      "url\toutcome\tstatus\tcontent_type\tbytes\tlinks\tlinks_over_limit\tdepth\tmillis\treferrer"
          + "\tdetail";

  /** Above any row: two addresses, a detail and a content type at their limits. */
  static final int MAX_BYTES = 64 << 10;

  private static final int MAX_TEXT_CHARACTERS = 9000;

  private PageRow() {}

  /** Returns the row without a line end. */
  static String of(PageResult page) {
    return String.join(
        "\t",
        text(page.url()),
        page.outcome().label(),
        words(page.status()),
        text(page.contentType()),
        words(page.bytes()),
        String.valueOf(page.links()),
        String.valueOf(page.linksOverLimit()),
        String.valueOf(page.depth()),
        String.valueOf(page.millis()),
        text(page.referrer()),
        text(page.detail()));
  }

  /** Returns the outcome in a row, or empty if the line is not a row. */
  static Optional<Outcome> outcome(String line) {
    String[] fields = line.split("\t", -1);
    return fields.length == HEADER.split("\t", -1).length
        ? Outcome.of(fields[1])
        : Optional.empty();
  }

  private static String words(OptionalInt number) {
    return number.isPresent() ? String.valueOf(number.getAsInt()) : "";
  }

  private static String words(OptionalLong number) {
    return number.isPresent() ? String.valueOf(number.getAsLong()) : "";
  }

  /** Sanitizes text sent by a server, which must not break the table. */
  private static String text(String text) {
    String tame = text.replaceAll("[\\p{Cntrl}\\p{Cs}\\u2028\\u2029]", " ");
    return tame.substring(0, Math.min(tame.length(), MAX_TEXT_CHARACTERS));
  }
}
