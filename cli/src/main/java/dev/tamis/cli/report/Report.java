package dev.tamis.cli.report;

import com.google.gson.GsonBuilder;
import dev.tamis.Estimate;
import dev.tamis.cli.console.Printable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Named figures in order: one line or a table for people, JSON for programs. */
public final class Report {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

  public Report text(String name, String text) {
    return add(name, text, name, text);
  }

  public Report flag(String name) {
    return add(name, "true", name, true);
  }

  public Report count(String name, long count) {
    return add(name, String.valueOf(count), name, count);
  }

  public Report number(String name, double number) {
    return add(name, NumberFormats.number(number), name, Double.isFinite(number) ? number : null);
  }

  /** Adds a number or, if it is empty, "unknown" and null in JSON. */
  public Report known(String name, OptionalDouble number) {
    return number.isPresent()
        ? number(name, number.getAsDouble())
        : add(name, "unknown", name, null);
  }

  public Report memory(long bytes) {
    return add("memory", NumberFormats.bytes(bytes), "memory_bytes", bytes);
  }

  public Report size(String name, long bytes) {
    return add(name, NumberFormats.bytes(bytes), name + "_bytes", bytes);
  }

  /** Adds bytes to the JSON alone, because they were announced before. */
  public Report planned(String name, long bytes) {
    values.put(name + "_bytes", bytes);
    return this;
  }

  public Report secondsSince(long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    return add("seconds", String.format(Locale.ROOT, "%.2f", seconds), "seconds", seconds);
  }

  /** Adds a number from the command line, with all of its digits. */
  public Report exact(String name, double number) {
    return add(name, String.valueOf(number), name, number);
  }

  /** Adds an estimate with its interval; null with a reason in JSON if it is unbounded. */
  public Report estimate(String name, Estimate estimate) {
    Report parts = parts(estimate.value(), estimate.low(), estimate.high());
    if (!estimate.isBounded()) {
      parts.text("reason", reason(estimate));
    }
    return add(name, NumberFormats.estimate(estimate), name, parts.values);
  }

  public Report share(String name, Estimate estimate) {
    String text =
        String.format(
            Locale.ROOT,
            "%s (%s to %s)",
            NumberFormats.number(estimate.value()),
            NumberFormats.number(estimate.low()),
            NumberFormats.number(estimate.high()));
    Report parts = parts(estimate.value(), estimate.low(), estimate.high());
    return add(name, text, name, parts.values);
  }

  /** Adds a number with known bounds only; its value is null in JSON. */
  public Report notEstimable(String name, double low, double high, String reason) {
    String text =
        String.format(
            Locale.ROOT,
            "not estimable (%s to %s), because %s",
            NumberFormats.number(low),
            NumberFormats.number(high),
            reason);
    Report parts = parts(Double.POSITIVE_INFINITY, low, high).text("reason", reason);
    return add(name, text, name, parts.values);
  }

  private static Report parts(double value, double low, double high) {
    return new Report().number("value", value).number("low", low).number("high", high);
  }

  /** Returns why an estimate has no upper end. */
  public static String reason(Estimate unbounded) {
    return Double.isInfinite(unbounded.value())
        ? "it is too full to count"
        : "it is too small for this confidence";
  }

  public Report each(String name, List<Report> things) {
    for (int i = 0; i < things.size(); i++) {
      texts.put(name + " " + (i + 1), things.get(i).line());
    }
    values.put(name + "s", things.stream().map(thing -> thing.values).toList());
    return this;
  }

  public Report all(Report others) {
    texts.putAll(others.texts);
    values.putAll(others.values);
    return this;
  }

  private Report add(String name, String text, String jsonName, @Nullable Object value) {
    texts.put(name, Printable.line(text));
    values.put(jsonName.replace('-', '_'), value);
    return this;
  }

  /** Returns the facts in one line. */
  public String line() {
    return texts.entrySet().stream()
        .map(fact -> fact.getKey() + "=" + fact.getValue())
        .collect(Collectors.joining(" "));
  }

  public String table() {
    Table table = new Table(Table.Align.LEFT, Table.Align.LEFT);
    texts.forEach((name, text) -> table.row(name.replace('-', ' '), text));
    return table.toString();
  }

  public String json() {
    return Json.of(values);
  }

  /** Apart, so that the library is loaded only for {@code --json}. */
  static final class Json {

    private Json() {}

    static String of(Map<String, ?> object) {
      return new GsonBuilder().serializeNulls().disableHtmlEscaping().create().toJson(object);
    }
  }
}
