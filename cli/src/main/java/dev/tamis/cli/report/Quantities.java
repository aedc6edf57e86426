package dev.tamis.cli.report;

import dev.tamis.sizing.Layout;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads counts, sizes and probabilities as people write them, and refuses everything else. */
public final class Quantities {

  /** Digits, with underscores between if wanted; a fraction; an exponent; a unit. */
  private static final Pattern NUMBER =
      Pattern.compile(
          "((?:[0-9]+(?:_[0-9]+)*)?(?:\\.[0-9]+|(?<=[0-9]))(?:[eE][+-]?[0-9]{1,3})?)"
              + "\\s*([A-Za-z]*)");

  private static final Map<String, Long> COUNT_UNITS =
      Map.of("", 1L, "k", 1_000L, "m", 1_000_000L, "g", 1_000_000_000L);

  private static final Map<String, Long> SIZE_UNITS =
      Map.ofEntries(
          Map.entry("", 1L),
          Map.entry("b", 1L),
          Map.entry("k", 1L << 10),
          Map.entry("m", 1L << 20),
          Map.entry("g", 1L << 30),
          Map.entry("t", 1L << 40),
          Map.entry("kib", 1L << 10),
          Map.entry("mib", 1L << 20),
          Map.entry("gib", 1L << 30),
          Map.entry("tib", 1L << 40),
          Map.entry("kb", 1_000L),
          Map.entry("mb", 1_000_000L),
          Map.entry("gb", 1_000_000_000L),
          Map.entry("tb", 1_000_000_000_000L));

  private static final long MAX_SIZE = Layout.MAX_BITS / Byte.SIZE;

  private Quantities() {}

  /** Returns a whole number of at least 1. */
  public static long count(String text) {
    return whole(
        text,
        COUNT_UNITS,
        Long.MAX_VALUE,
        "a whole number of at least 1, such as 1000000, 10M or 1e9");
  }

  /** Returns a number of bytes, from 1 to the maximum size of a filter. */
  static long size(String text) {
    return whole(
        text,
        SIZE_UNITS,
        MAX_SIZE,
        "a size from 1 to " + MAX_SIZE + " bytes, such as 64KiB or 1.5G");
  }

  /** Returns a number of hashes: bits set per key. */
  static int hashes(String text) {
    return (int)
        whole(
            text,
            Map.of("", 1L),
            Layout.MAX_HASHES,
            "a whole number from 1 to " + Layout.MAX_HASHES);
  }

  /** Returns a number in (0, 1). */
  static double probability(String text) {
    Matcher matcher = NUMBER.matcher(text);
    double value =
        matcher.matches() && matcher.group(2).isEmpty() ? Double.parseDouble(matcher.group(1)) : 0;
    if (!(value > 0 && value < 1)) {
      throw refusal(text, "a probability between 0 and 1, such as 0.01 or 1e-6");
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
        new BigDecimal(matcher.group(1).replace("_", "")).multiply(BigDecimal.valueOf(unit));
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

  /** Converts the argument of {@code -n}. */
  public static final class CountConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return count(text);
    }
  }

  /** Converts the argument of {@code -m}. */
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

  /** Converts the argument of {@code -k}. */
  public static final class HashesConverter implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
      return hashes(text);
    }
  }

  /** Converts the argument of {@code -p}. */
  public static final class ProbabilityConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return probability(text);
    }
  }
}
