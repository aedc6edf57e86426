package dev.tamis.cli.lines;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Fields of a line by number from 1, as for {@code cut -f}: ascending ranges with gaps between. */
public record FieldList(List<Range> ranges) {

  public static final FieldList ALL = new FieldList(List.of(new Range(1, Integer.MAX_VALUE)));

  private static final Pattern RANGE = Pattern.compile("([0-9]*)(-?)([0-9]*)");

  public FieldList {
    ranges = List.copyOf(ranges);
  }

  /** Adjacent fields; {@code to} is the largest integer for all that follow. */
  record Range(int from, int to) {
    @Override
    public String toString() {
      return from == to ? "" + from : from + "-" + (to == Integer.MAX_VALUE ? "" : to);
    }
  }

  /** Returns the fields as they are parsed. */
  @Override
  public String toString() {
    return ranges.stream().map(Range::toString).collect(Collectors.joining(","));
  }

  /** Reads numbers and ranges such as {@code 1,3-5,7-}. */
  public static FieldList parse(String text) {
    List<Range> given = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      given.add(range(part, text));
    }
    given.sort(Comparator.comparingInt(Range::from));
    List<Range> merged = new ArrayList<>();
    for (Range next : given) {
      Range last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last != null && next.from() - 1 <= last.to()) {
        merged.set(merged.size() - 1, new Range(last.from(), Math.max(last.to(), next.to())));
      } else {
        merged.add(next);
      }
    }
    return new FieldList(merged);
  }

  private static Range range(String part, String text) {
    Matcher matcher = RANGE.matcher(part);
    if (!matcher.matches() || part.isEmpty() || part.equals("-")) {
      throw refusal(text);
    }
    boolean isSingle = matcher.group(2).isEmpty();
    int from = number(matcher.group(1), 1, text);
    int to = isSingle ? from : number(matcher.group(3), Integer.MAX_VALUE, text);
    if (from < 1 || to < from) {
      throw refusal(text);
    }
    return new Range(from, to);
  }

  private static int number(String digits, int otherwise, String text) {
    try {
      return digits.isEmpty() ? otherwise : Integer.parseInt(digits);
    } catch (NumberFormatException e) {
      throw refusal(text);
    }
  }

  private static TypeConversionException refusal(String text) {
    return new TypeConversionException(
        "expected numbers of fields from 1 on and ascending ranges, such as 2 or 1,3-5,7-, got '"
            + text
            + "'");
  }

  public static final class Converter implements ITypeConverter<FieldList> {
    @Override
    public FieldList convert(String text) {
      return parse(text);
    }
  }
}
