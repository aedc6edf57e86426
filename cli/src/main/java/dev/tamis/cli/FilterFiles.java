package dev.tamis.cli;

import dev.tamis.Filter;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.format.Kind;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Filters in files that are to be looked at together. */
final class FilterFiles {

  private static final Map<Class<?>, Kind> KINDS =
      Map.of(
          BloomFilter.class, Kind.BLOOM,
          ScalableBloomFilter.class, Kind.SCALABLE_BLOOM,
          CountingBloomFilter.class, Kind.COUNTING_BLOOM,
          CuckooFilter.class, Kind.CUCKOO,
          WindowedBloomFilter.class, Kind.WINDOWED_BLOOM,
          FuseFilter.class, Kind.FUSE,
          RibbonFilter.class, Kind.RIBBON);

  private static final String SAME_OPTIONS = "build both with the same -n, -p and -t";

  private FilterFiles() {}

  /** Returns the kind of a filter, by its name for people. */
  static String kindOf(Filter<?> filter) {
    Kind kind = KINDS.get(filter.getClass());
    if (kind == null) {
      throw new IllegalArgumentException("no file holds a " + filter.getClass().getSimpleName());
    }
    return kind.label();
  }

  /** Returns a Bloom filter of fixed size; refuses every other. */
  static BloomFilter<Line> requireBloom(FilterPlace path, Filter<Line> filter) {
    if (filter instanceof BloomFilter<Line> bloom) {
      return bloom;
    }
    throw new CommandException(
        String.format(
            Locale.ROOT,
            "%s: is a %s filter, and what two filters share is known of Bloom filters of fixed size"
                + " only; build both with -t blocked",
            path,
            kindOf(filter)));
  }

  /** Returns a filter that can be on a server; refuses every other. */
  static BloomFilter<Line> requireForServer(FilterPlace place, Filter<Line> filter) {
    if (filter instanceof BloomFilter<Line> bloom) {
      return bloom;
    }
    throw new CommandException(
        String.format(
            Locale.ROOT,
            "%s: a %s filter cannot be on a server; name a file, or build with -t blocked",
            place,
            kindOf(filter)));
  }

  /** Checks that two filters can be combined. */
  static void requireCompatible(
      FilterPlace firstPath,
      BloomFilter<Line> first,
      FilterPlace secondPath,
      BloomFilter<Line> second) {
    refuse(firstPath, secondPath, first.incompatibility(second));
  }

  /**
   * Puts everything into {@code union} that {@code other} holds.
   *
   * @param firstPath what {@code union} was first read from
   */
  static void merge(
      FilterPlace firstPath, Filter<Line> union, FilterPlace path, Filter<Line> other) {
    requireMergeable(firstPath, union);
    requireMergeable(path, other);
    if (union instanceof BloomFilter<Line> into && other instanceof BloomFilter<Line> from) {
      refuse(firstPath, path, into.incompatibility(from));
      into.putAll(from);
    } else if (union instanceof CountingBloomFilter<Line> into
        && other instanceof CountingBloomFilter<Line> from) {
      refuse(firstPath, path, into.incompatibility(from));
      into.putAll(from);
    } else if (union instanceof ScalableBloomFilter<Line> into
        && other instanceof ScalableBloomFilter<Line> from) {
      merge(firstPath, into, path, from);
    } else {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "%s and %s: cannot be merged: the first is a %s filter, the second a %s one; build"
                  + " both with the same -t",
              firstPath,
              path,
              kindOf(union),
              kindOf(other)));
    }
  }

  private static void merge(
      FilterPlace firstPath,
      ScalableBloomFilter<Line> into,
      FilterPlace path,
      ScalableBloomFilter<Line> from) {
    refuse(firstPath, path, into.hashId().difference(from.hashId()));
    try {
      into.putAll(from);
    } catch (IllegalArgumentException e) { // too many stages, or too high an fpp
      throw new CommandException(firstPath + " and " + path + ": " + e.getMessage());
    }
  }

  private static void requireMergeable(FilterPlace path, Filter<Line> filter) {
    boolean mergeable =
        filter instanceof BloomFilter
            || filter instanceof CountingBloomFilter
            || filter instanceof ScalableBloomFilter;
    if (!mergeable) {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "%s: %s filters cannot be merged; build one of all the lines",
              path,
              kindOf(filter)));
    }
  }

  private static void refuse(
      FilterPlace firstPath, FilterPlace secondPath, Optional<String> difference) {
    difference.ifPresent(
        reason -> {
          throw new CommandException(
              String.format(
                  Locale.ROOT,
                  "%s and %s: cannot be combined: %s; %s",
                  firstPath,
                  secondPath,
                  reason,
                  SAME_OPTIONS));
        });
  }
}
