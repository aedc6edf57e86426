package dev.tamis.cli;

import dev.tamis.Confidence;
import dev.tamis.HashedFilter;
import dev.tamis.Overlap;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.sketch.DistinctCounter;
import java.util.Locale;

/** What two files have in common, in numbers. */
final class SharedKeys {

  private SharedKeys() {}

  /**
   * Compares what two files hold.
   *
   * @throws CommandException if nothing is known of such two, naming what differs
   */
  static Facts of(
      FilterPlace firstPlace,
      Contents first,
      FilterPlace secondPlace,
      Contents second,
      Confidence confidence) {
    if (first instanceof Contents.Ours one && second instanceof Contents.Ours other) {
      return ofFilters(firstPlace, one.filter(), secondPlace, other.filter(), confidence);
    }
    if (first instanceof Contents.Foreign one && second instanceof Contents.Foreign other) {
      return ofForeign(firstPlace, one.filter(), secondPlace, other.filter(), confidence);
    }
    if (first instanceof Contents.Counter one && second instanceof Contents.Counter other) {
      return ofCounters(firstPlace, one.counter(), secondPlace, other.counter(), confidence);
    }
    throw refusal(
        firstPlace, secondPlace, "kind differs: " + first.kind() + " and " + second.kind());
  }

  private static Facts ofFilters(
      FilterPlace firstPath,
      HashedFilter<Line> first,
      FilterPlace secondPath,
      HashedFilter<Line> second,
      Confidence confidence) {
    requireComparable(firstPath, first);
    requireComparable(secondPath, second);
    try {
      if (first instanceof BloomFilter<Line> one && second instanceof BloomFilter<Line> other) {
        FilterFiles.requireCompatible(firstPath, secondPath, one.incompatibility(other));
        return facts(one.estimateOverlap(other, confidence));
      }
      if (first instanceof CountingBloomFilter<Line> one
          && second instanceof CountingBloomFilter<Line> other) {
        FilterFiles.requireCompatible(firstPath, secondPath, one.incompatibility(other));
        return facts(one.estimateOverlap(other, confidence));
      }
      if (first instanceof ScalableBloomFilter<Line> one
          && second instanceof ScalableBloomFilter<Line> other) {
        return facts(one.estimateOverlap(other, confidence));
      }
    } catch (IllegalArgumentException e) { // of stages
      throw refusal(
          firstPath, secondPath, e.getMessage() + "; build both with a -n that is enough");
    }
    throw refusal(
        firstPath,
        secondPath,
        "kind differs: "
            + FilterFiles.kindOf(first)
            + " and "
            + FilterFiles.kindOf(second)
            + "; build both with the same -n, -p and -t");
  }

  private static Facts ofCounters(
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
              throw refusal(firstPath, secondPath, difference + "; make both with the same one");
            });
    return facts(first.estimateOverlap(second, confidence));
  }

  private static Facts ofForeign(
      FilterPlace firstPath,
      ForeignFilter<Line> first,
      FilterPlace secondPath,
      ForeignFilter<Line> second,
      Confidence confidence) {
    FilterFiles.requireCompatible(firstPath, secondPath, first.incompatibility(second));
    return facts(first.estimateOverlap(second, confidence));
  }

  private static Facts facts(Overlap overlap) {
    Facts facts =
        new Facts()
            .estimate("first", overlap.first())
            .estimate("second", overlap.second())
            .estimate("union", overlap.union());
    if (!overlap.union().isBounded()) {
      String reason = Facts.reason(overlap.union());
      return facts
          .notEstimable("intersection", 0, overlap.intersection().high(), reason)
          .notEstimable("jaccard", 0, 1, reason);
    }
    facts.estimate("intersection", overlap.intersection());
    return overlap.jaccard().isPresent()
        ? facts.share("jaccard", overlap.jaccard().get())
        : facts.notEstimable("jaccard", 0, 1, "both are empty");
  }

  private static void requireComparable(FilterPlace path, HashedFilter<Line> filter) {
    boolean comparable =
        filter instanceof BloomFilter
            || filter instanceof CountingBloomFilter
            || filter instanceof ScalableBloomFilter;
    if (!comparable) {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "%s: is a %s filter, and what two files share is known of bloom, counting and"
                  + " scalable filters and of distinct counters; build both with -t blocked",
              path,
              FilterFiles.kindOf(filter)));
    }
  }

  private static CommandException refusal(FilterPlace first, FilterPlace second, String reason) {
    return new CommandException(first + " and " + second + ": cannot be compared: " + reason);
  }
}
