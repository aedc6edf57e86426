package dev.tamis.tools.digest;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the header in which a server says when to come back. */
final class RetryAfter {

  /** Longer nobody waits for one answer. */
  static final Duration MAX = Duration.ofHours(1);

  private static final Pattern SECONDS = Pattern.compile("[0-9]+");
  private static final int MANY_DIGITS = 9;

  private RetryAfter() {}

  /**
   * Returns the time to wait, from zero to {@link #MAX}, or empty if the value is not a valid time.
   */
  static Optional<Duration> of(String value, Instant now) {
    String text = value.strip();
    return SECONDS.matcher(text).matches() ? Optional.of(seconds(text)) : untilDate(text, now);
  }

  private static Duration seconds(String digits) {
    return digits.length() > MANY_DIGITS
        ? MAX
        : limited(Duration.ofSeconds(Long.parseLong(digits)));
  }

  private static Optional<Duration> untilDate(String text, Instant now) {
    try {
      Instant date = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Optional.of(limited(Duration.between(now, date)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  private static Duration limited(Duration time) {
    return time.isNegative() ? Duration.ZERO : time.compareTo(MAX) > 0 ? MAX : time;
  }
}
