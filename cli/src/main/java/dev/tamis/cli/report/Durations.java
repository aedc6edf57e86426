package dev.tamis.cli.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Reads spans of time as people write them: {@code 1.5s}, {@code 500ms}, {@code 2m}; bare, seconds.
 */
public final class Durations implements ITypeConverter<Duration> {

  private static final Pattern TIME = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)([a-z]*)");

  private static final Map<String, Long> UNITS =
      Map.of("", 1000L, "ms", 1L, "s", 1000L, "m", 60_000L, "h", 3_600_000L);

  @Override
  public Duration convert(String text) {
    Matcher matcher = TIME.matcher(text.toLowerCase(Locale.ROOT));
    Long unit = matcher.matches() ? UNITS.get(matcher.group(2)) : null;
    if (unit == null) {
      throw new TypeConversionException(
          "expected a time such as 500ms, 1.5s or 2m, got '" + text + "'");
    }
    BigDecimal millis = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit));
    return Duration.ofMillis(millis.setScale(0, RoundingMode.CEILING).longValueExact());
  }
}
