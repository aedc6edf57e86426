package dev.tamis.cli.report;

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
public final class Facts {

  private static final double NANOS_PER_SECOND = 1e9;

  private final Map<String, String> texts = new LinkedHashMap<>();
  private final Map<String, @Nullable Object> values = new LinkedHashMap<>();

  /** Adds a text. */
  public Facts text(String name, String text) {
    return add(name, text, name, text);
  }

  /** Adds a flag that is set. */
  public Facts flag(String name) {
    return add(name, "true", name, true);
  }

  /** Adds a whole number. */
  public Facts count(String name, long count) {
    return add(name, String.valueOf(count), name, count);
  }

  /** Adds a number that is not whole. */
  public Facts number(String name, double number) {
    return add(name, Figures.number(number), name, Double.isFinite(number) ? number : null);
  }

  /** Adds a number that is not whole, or says that it is unknown; in JSON null then. */
  public Facts known(String name, OptionalDouble number) {
    return number.isPresent()
        ? number(name, number.getAsDouble())
        : add(name, "unknown", name, null);
  }

  /** Adds an amount of memory. */
  public Facts memory(long bytes) {
    return add("memory", Figures.bytes(bytes), "memory_bytes", bytes);
  }

  /** Adds an amount of bytes of another kind. */
  public Facts size(String name, long bytes) {
    return add(name, Figures.bytes(bytes), name + "_bytes", bytes);
  }

  /** Adds an amount of bytes to the JSON alone: people have read of it before. */
  public Facts planned(String name, long bytes) {
    values.put(name + "_bytes", bytes);
    return this;
  }

  /** Adds the time since {@code startNanos}. */
  public Facts secondsSince(long startNanos) {
    double seconds = (System.nanoTime() - startNanos) / NANOS_PER_SECOND;
    return add("seconds", String.format(Locale.ROOT, "%.2f", seconds), "seconds", seconds);
  }

  /** Adds a number from the command line, with all of its digits. */
  public Facts exact(String name, double number) {
    return add(name, String.valueOf(number), name, number);
  }

  /** Adds an estimate with its interval; null with a reason in JSON if it is unbounded. */
  public Facts estimate(String name, Estimate estimate) {
    Facts parts = parts(estimate.value(), estimate.low(), estimate.high());
    if (!estimate.isBounded()) {
      parts.text("reason", reason(estimate));
    }
    return add(name, Figures.estimate(estimate), name, parts.values);
  }

  /** Adds an estimate between 0 and 1 with its interval. */
  public Facts share(String name, Estimate estimate) {
    String text =
        String.format(
            Locale.ROOT,
            "%s (%s to %s)",
            Figures.number(estimate.value()),
            Figures.number(estimate.low()),
            Figures.number(estimate.high()));
    Facts parts = parts(estimate.value(), estimate.low(), estimate.high());
    return add(name, text, name, parts.values);
  }

  /** Adds a number of which only bounds are known; its value is null in JSON. */
  public Facts notEstimable(String name, double low, double high, String reason) {
    String text =
        String.format(
            Locale.ROOT,
            "not estimable (%s to %s), because %s",
            Figures.number(low),
            Figures.number(high),
            reason);
    Facts parts = parts(Double.POSITIVE_INFINITY, low, high).text("reason", reason);
    return add(name, text, name, parts.values);
  }

  private static Facts parts(double value, double low, double high) {
    return new Facts().number("value", value).number("low", low).number("high", high);
  }

  /** Returns why an estimate has no upper end. */
  public static String reason(Estimate unbounded) {
    return Double.isInfinite(unbounded.value())
        ? "it is too full to count"
        : "it is too small for this confidence";
  }

  /** Adds facts of several things of a kind. */
  public Facts each(String name, List<Facts> things) {
    for (int i = 0; i < things.size(); i++) {
      texts.put(name + " " + (i + 1), things.get(i).line());
    }
    values.put(name + "s", things.stream().map(thing -> thing.values).toList());
    return this;
  }

  /** Adds all of {@code others}. */
  public Facts all(Facts others) {
    texts.putAll(others.texts);
    values.putAll(others.values);
    return this;
  }

  private Facts add(String name, String text, String jsonName, @Nullable Object value) {
    texts.put(name, Printable.line(text));
    values.put(jsonName.replace('-', '_'), value);
    return this;
  }

  /** Returns {@code name=text} for each, in one line. */
  String line() {
    return texts.entrySet().stream()
        .map(fact -> fact.getKey() + "=" + fact.getValue())
        .collect(Collectors.joining(" "));
  }

  /** Returns one row for each. */
  public String table() {
    Table table = new Table(Table.Align.LEFT, Table.Align.LEFT);
    texts.forEach((name, text) -> table.row(name.replace('-', ' '), text));
    return table.toString();
  }

  /** Returns one line of JSON with exact numbers. */
  public String json() {
    return Json.of(values);
  }
}
