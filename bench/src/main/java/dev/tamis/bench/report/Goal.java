package dev.tamis.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A bound, and what was measured: a ratio of two times, or bytes.
 *
 * @param atLeast whether the bound is the least that will do, or the most
 * @param bound the bound
 * @param measured what was measured, if it was
 * @param unit of the two
 */
record Goal(boolean atLeast, double bound, OptionalDouble measured, String unit) {

  private static final String TIMES = "×";

  /** Returns the goal that {@code slow} takes at least {@code bound} times as long. */
  static Goal atLeast(double bound, Optional<Measurement> slow, Optional<Measurement> fast) {
    return new Goal(true, bound, ratio(slow, fast), TIMES);
  }

  /** Returns the goal that {@code ours} takes at most {@code bound} times as long. */
  static Goal atMost(double bound, Optional<Measurement> ours, Optional<Measurement> other) {
    return new Goal(false, bound, ratio(ours, other), TIMES);
  }

  /** Returns the goal that one operation allocates nothing. */
  static Goal noBytes(Optional<Measurement> ours) {
    OptionalDouble bytes =
        ours.isPresent()
            ? OptionalDouble.of(Math.rint(ours.get().bytes()))
            : OptionalDouble.empty();
    return new Goal(false, 0, bytes, "B");
  }

  private static OptionalDouble ratio(Optional<Measurement> above, Optional<Measurement> below) {
    return above.isPresent() && below.isPresent()
        ? OptionalDouble.of(above.get().median() / below.get().median())
        : OptionalDouble.empty();
  }

  /** Returns a goal for each operation, which is told its place in the list. */
  static List<Goal> each(List<String> operations, ForOperation goal) {
    List<Goal> goals = new ArrayList<>();
    for (int i = 0; i < operations.size(); i++) {
      goals.add(goal.of(operations.get(i), i));
    }
    return goals;
  }

  /** Returns three cells: the bounds, the ratios, and whether they were met. */
  static List<String> cells(List<Goal> goals) {
    if (goals.isEmpty()) {
      return List.of("", "", "");
    }
    if (goals.stream().allMatch(goal -> goal.measured.isEmpty())) {
      return List.of(bounds(goals), "not measured", "");
    }
    return List.of(
        bounds(goals),
        joined(goals, Goal::measuredText) + " " + goals.get(0).unit,
        joined(goals, Goal::met));
  }

  private static String bounds(List<Goal> goals) {
    String bounds =
        goals.stream().map(Goal::bound).distinct().count() == 1
            ? goals.get(0).boundText()
            : joined(goals, Goal::boundText);
    return (goals.get(0).atLeast ? "≥ " : "≤ ") + bounds + " " + goals.get(0).unit;
  }

  private static String joined(List<Goal> goals, Function<Goal, String> part) {
    return goals.stream().map(part).collect(Collectors.joining(" / "));
  }

  private String boundText() {
    return bound == Math.rint(bound)
        ? String.format(Locale.ROOT, "%.0f", bound)
        : String.format(Locale.ROOT, "%.1f", bound);
  }

  private String measuredText() {
    return measured.isPresent() ? String.format(Locale.ROOT, "%.2f", measured.getAsDouble()) : "–";
  }

  private String met() {
    if (measured.isEmpty()) {
      return "–";
    }
    double value = measured.getAsDouble();
    return (atLeast ? value >= bound : value <= bound) ? "yes" : "no";
  }

  /** Makes the goal of one operation. */
  @FunctionalInterface
  interface ForOperation {
    Goal of(String operation, int place);
  }
}
