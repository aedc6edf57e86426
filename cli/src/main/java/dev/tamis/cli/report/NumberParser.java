package dev.tamis.cli.report;

import dev.tamis.sizing.Layout;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads counts, sizes and probabilities as people write them, and refuses everything else. */
public final class NumberParser {

  /** Digits, with underscores, or commas between thousands; a fraction; an exponent; a unit. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "((?:[1-9][0-9]{0,2}(?:,[0-9]{3})+|[0-9]+(?:_[0-9]+)*)?(?:\\.[0-9]+|(?<=[0-9]))(?:[eE][+-]?[0-9]{1,3})?)"
              + "\\s*([A-Za-z]*)");

  private static final Pattern ONE_IN =
      Pattern.compile("1\\s*(?:in|[/:])\\s*(.+)", Pattern.CASE_INSENSITIVE);

  private static final Map<String, Long> COUNT_UNITS = new HashMap<>();

  /** A letter is binary, and so is its unit with an i; its unit without one is decimal. */
  private static final Map<String, Long> SIZE_UNITS = new HashMap<>(Map.of("", 1L, "b", 1L));

  static {
    long count = 1;
    for (String names : List.of("", "k thousand", "m million", "g b billion")) {
      for (String name : names.split(" ", -1)) {
        COUNT_UNITS.put(name, count);
      }
      count *= 1000;
    }
    long binary = 1;
    long decimal = 1;
    for (String letter : List.of("k", "m", "g", "t")) {
      binary <<= 10;
      decimal *= 1000;
      SIZE_UNITS.putAll(Map.of(letter, binary, letter + "ib", binary, letter + "b", decimal));
    }
  }

  private static final long MAX_SIZE = Layout.MAX_BITS / Byte.SIZE;

  private NumberParser() {}

  public static long count(String text) {
    return whole(
        text,
        COUNT_UNITS,
        Long.MAX_VALUE,
        "a whole number of at least 1, such as 1,000,000, 10M or 1e9");
  }

  static long size(String text) {
    return whole(
        text,
        SIZE_UNITS,
        MAX_SIZE,
        "a size from 1 to " + MAX_SIZE + " bytes, such as 64KiB or 1.5G");
  }

  static int hashes(String text) {
    return (int)
        whole(
            text,
            Map.of("", 1L),
            Layout.MAX_HASHES,
            "a whole number from 1 to " + Layout.MAX_HASHES);
  }

  /** Reads a decimal, a percentage, or a ratio such as {@code 1 in 1000}. */
  static double probability(String text) {
    String number = text.replaceFirst("\\s*%$", "");
    Matcher matcher = NUMBER.matcher(number);
    Matcher oneIn = ONE_IN.matcher(text);
    double value = 0;
    if (oneIn.matches()) {
      value = 1.0 / count(oneIn.group(1));
    } else if (matcher.matches() && matcher.group(2).isEmpty() && !number.matches(".*[_,].*")) {
      BigDecimal given = new BigDecimal(matcher.group(1));
      value = given.movePointLeft(number.equals(text) ? 0 : 2).doubleValue();
    }
    if (!(value > 0 && value < 1)) {
      throw refusal(text, "a probability between 0 and 1, such as 0.01, 1e-6, 1 % or 1 in 1000");
    }
    return value;
  }

  private static long whole(String text, Map<String, Long> units, long max, String expected) {
    Matcher matcher = NUMBER.matcher(text);
    if (!matcher.matches()) {
      throw refusal(text, expected);
    }
    Long unit = units.get(matcher.group(2).toLowerCase(Locale.ROOT));
    if (unit == null) {
      throw refusal(text, expected);
    }
    BigDecimal value =
        new BigDecimal(matcher.group(1).replaceAll("[_,]", "")).multiply(BigDecimal.valueOf(unit));
    boolean whole = value.stripTrailingZeros().scale() <= 0;
    if (!whole
        || value.compareTo(BigDecimal.ONE) < 0
        || value.compareTo(BigDecimal.valueOf(max)) > 0) {
      throw refusal(text, expected);
    }
    return value.longValueExact();
  }

  private static TypeConversionException refusal(String text, String expected) {
    return new TypeConversionException("expected " + expected + ", got '" + text + "'");
  }

  public static final class CountConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return count(text);
    }
  }

  public static final class SizeConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return size(text);
    }
  }

  /** Converts the argument of {@code -S}, which no filter limits. */
  public static final class BufferConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return whole(text, SIZE_UNITS, Long.MAX_VALUE, "a size in bytes, such as 512MiB or 2G");
    }
  }

  public static final class HashesConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return hashes(text);
    }
  }

  public static final class ProbabilityConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return probability(text);
    }
  }

  /** Reads times such as {@code 1.5s}, {@code 500ms} or {@code 2m}; seconds without a unit. */
  public static final class DurationConverter implements ITypeConverter<Duration> {

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
}
