package dev.tamis.cli;

import dev.tamis.HashedFilter;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.format.Kind;
import dev.tamis.interop.ForeignFilter;
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
  static String kindOf(HashedFilter<?> filter) {
    if (filter instanceof ForeignFilter) {
      return Kind.FOREIGN.label();
    }
    Kind kind = KINDS.get(filter.getClass());
    if (kind == null) {
      throw new IllegalArgumentException("no file holds a " + filter.getClass().getSimpleName());
    }
    return kind.label();
  }

  /** Returns a filter that can be on a server; refuses every other. */
  static BloomFilter<Line> requireForServer(FilterPlace place, Contents contents) {
    if (contents instanceof Contents.Ours ours
        && ours.filter() instanceof BloomFilter<Line> bloom) {
      return bloom;
    }
    throw new CommandException(
        String.format(
            Locale.ROOT,
            "%s: a %s filter cannot be on a server; name a file, or build with -t blocked",
            place,
            contents.kind()));
  }

  /**
   * Puts everything into {@code union} that {@code other} holds.
   *
   * @param firstPlace where {@code union} was first
   */
  static void merge(FilterPlace firstPlace, Contents union, FilterPlace place, Contents other) {
    if (union instanceof Contents.Foreign into && other instanceof Contents.Foreign from) {
      requireCompatible(firstPlace, place, into.filter().incompatibility(from.filter()));
      into.filter().putAll(from.filter());
    } else if (union instanceof Contents.Foreign || other instanceof Contents.Foreign) {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "%s and %s: cannot be combined: one is another program's filter and one is ours,"
                  + " and they hash differently; build both with the same -t",
              firstPlace,
              place));
    } else {
      merge(firstPlace, mergeable(firstPlace, union), place, mergeable(place, other));
    }
  }

  private static HashedFilter<Line> mergeable(FilterPlace place, Contents contents) {
    if (contents instanceof Contents.Ours ours
        && (ours.filter() instanceof BloomFilter
            || ours.filter() instanceof CountingBloomFilter
            || ours.filter() instanceof ScalableBloomFilter)) {
      return ours.filter();
    }
    throw new CommandException(
        String.format(
            Locale.ROOT,
            "%s: %s filters cannot be merged; build one of all the lines",
            place,
            contents.kind()));
  }

  private static void merge(
      FilterPlace firstPath, HashedFilter<Line> union, FilterPlace path, HashedFilter<Line> other) {
    if (union instanceof BloomFilter<Line> into && other instanceof BloomFilter<Line> from) {
      requireCompatible(firstPath, path, into.incompatibility(from));
      into.putAll(from);
    } else if (union instanceof CountingBloomFilter<Line> into
        && other instanceof CountingBloomFilter<Line> from) {
      requireCompatible(firstPath, path, into.incompatibility(from));
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
    requireCompatible(firstPath, path, into.hashId().difference(from.hashId()));
    try {
      into.putAll(from);
    } catch (IllegalArgumentException e) { // too many stages, or too high an fpp
      throw new CommandException(firstPath + " and " + path + ": " + e.getMessage());
    }
  }

  /** Checks that nothing keeps two filters from being combined. */
  static void requireCompatible(
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
