package dev.tamis.cli.stats;

import dev.tamis.Confidence;
import dev.tamis.Overlapping;
import dev.tamis.Overlapping.Overlap;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.place.FilterPair;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.report.Report;
import dev.tamis.sketch.DistinctCounter;
import java.util.Locale;

/** The estimated overlap of two files. */
final class OverlapReport {

  private OverlapReport() {}

  /**
   * Compares two files.
   *
   * @throws CommandException if the two cannot be compared, naming what differs
   */
  static Report of(
      FilterPlace firstPlace,
      Loaded first,
      FilterPlace secondPlace,
      Loaded second,
      Confidence confidence) {
    if (first instanceof Loaded.OfFilter one && second instanceof Loaded.OfFilter other) {
      return ofFilters(new FilterPair(firstPlace, one, secondPlace, other), confidence);
    }
    if (first instanceof Loaded.OfCounter one && second instanceof Loaded.OfCounter other) {
      return ofCounters(firstPlace, one.counter(), secondPlace, other.counter(), confidence);
    }
    throw refusal(
        firstPlace, secondPlace, "kind differs: " + first.kind() + " and " + second.kind());
  }

  private static Report ofFilters(FilterPair pair, Confidence confidence) {
    Overlapping<?> first = overlapping(pair.firstPlace(), pair.first());
    Overlapping<?> second = overlapping(pair.secondPlace(), pair.second());
    if (!pair.isOfOneKind()) {
      throw refusal(
          pair.firstPlace(),
          pair.secondPlace(),
          String.format(
              Locale.ROOT,
              "kind differs: %s and %s; build both with the same -n, -p and -t",
              pair.first().kind(),
              pair.second().kind()));
    }
    pair.requireCompatible();
    try {
      return facts(overlap(first, second, confidence));
    } catch (IllegalArgumentException e) { // of stages
      throw refusal(
          pair.firstPlace(),
          pair.secondPlace(),
          e.getMessage() + "; build both with a sufficient -n");
    }
  }

  private static Overlapping<?> overlapping(FilterPlace place, Loaded.OfFilter loaded) {
    if (loaded.filter() instanceof Overlapping<?> overlapping) {
      return overlapping;
    }
    throw new CommandException(
        "%s: kind: must be bloom, counting, scalable, foreign or distinct to be compared, got %s;"
            + " build both with -t blocked",
        place, loaded.kind());
  }

  @SuppressWarnings("unchecked") // both are of one kind, which is what F stands for
  private static <F extends Overlapping<F>> Overlap overlap(
      Overlapping<?> first, Overlapping<?> second, Confidence confidence) {
    return ((F) first).estimateOverlap((F) second, confidence);
  }

  private static Report ofCounters(
      FilterPlace firstPath,
      DistinctCounter<Line> first,
      FilterPlace secondPath,
      DistinctCounter<Line> second,
      Confidence confidence) {
    first
        .hashId()
        .difference(second.hashId())
        .ifPresent(
            difference -> {
              throw refusal(firstPath, secondPath, difference + "; build both with the same");
            });
    return facts(first.estimateOverlap(second, confidence));
  }

  private static Report facts(Overlap overlap) {
    Report facts =
        new Report()
            .estimate("first", overlap.first())
            .estimate("second", overlap.second())
            .estimate("union", overlap.union());
    if (!overlap.union().isBounded()) {
      String reason = Report.reason(overlap.union());
      return facts
          .notEstimable("intersection", 0, overlap.intersection().high(), reason)
          .notEstimable("jaccard", 0, 1, reason);
    }
    facts.estimate("intersection", overlap.intersection());
    return overlap.jaccard().isPresent()
        ? facts.share("jaccard", overlap.jaccard().get())
        : facts.notEstimable("jaccard", 0, 1, "both are empty");
  }

  private static CommandException refusal(FilterPlace first, FilterPlace second, String reason) {
    return new CommandException("%s and %s: cannot be compared: %s", first, second, reason);
  }
}
