package dev.tamis.crawler.crawl;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A row of a list of pages: tab-separated fields. */
final class PageRow {

  /** The first line of a list. */
  static final String HEADER =
      "url\toutcome\tstatus\tcontent_type\tbytes\tlinks\tlinks_over_limit\tdepth\tmillis\treferrer"
          + "\tdetail";

  /** Above any row: two addresses, and a detail and a content type of three bytes a character. */
  static final int MAX_BYTES = 96 << 10;

  private static final int MAX_TEXT_CHARACTERS = 9000;

  /** Controls, invisible and unassigned characters, and those that reverse the direction. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\\p{Zl}\\p{Zp}]");

  private PageRow() {}

  /** Returns the row without a line end. */
  static String of(PageResult page) {
    return String.join(
        "\t",
        text(page.url()),
        page.outcome().label(),
        number(page.status().stream().asLongStream()),
        text(page.contentType()),
        number(page.bytes().stream()),
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

  private static String number(LongStream oneOrNone) {
    return oneOrNone.mapToObj(String::valueOf).collect(Collectors.joining());
  }

  /** Escapes text sent by a server, which must not break the table or steer a terminal. */
  private static String text(String text) {
    return start(UNPRINTABLE.matcher(start(text)).replaceAll(found -> escaped(found.group())));
  }

  private static String start(String text) {
    return text.substring(0, Math.min(text.length(), MAX_TEXT_CHARACTERS));
  }

  private static String escaped(String character) {
    return character
        .chars()
        .mapToObj(unit -> String.format(Locale.ROOT, "\\\\u%04x", unit))
        .collect(Collectors.joining());
  }
}
