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
import dev.tamis.interop.ForeignFilter;
import dev.tamis.kit.file.ForeignFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
    if (filter instanceof ForeignFilter) {
      return Kind.FOREIGN.label();
    }
    Kind kind = KINDS.get(filter.getClass());
    if (kind == null) {
      throw new IllegalArgumentException("no file holds a " + filter.getClass().getSimpleName());
    }
    return kind.label();
  }

  /** Returns whether files hold other programs' filters; refuses them beside ours. */
  static boolean areForeign(List<Path> paths) throws IOException {
    boolean foreign = ForeignFile.isForeign(paths.get(0));
    for (Path path : paths) {
      if (ForeignFile.isForeign(path) != foreign) {
        throw new CommandException(
            String.format(
                Locale.ROOT,
                "%s and %s: cannot be combined: one is another program's filter and one is ours,"
                    + " and they hash differently; build both with the same -t",
                paths.get(0),
                path));
      }
    }
    return foreign;
  }

  /**
   * Puts everything into {@code union} that {@code other} holds.
   *
   * @param firstPath what {@code union} was first read from
   */
  static void merge(Path firstPath, Filter<Line> union, Path path, Filter<Line> other) {
    requireMergeable(firstPath, union);
    requireMergeable(path, other);
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
      Path firstPath, ScalableBloomFilter<Line> into, Path path, ScalableBloomFilter<Line> from) {
    requireCompatible(firstPath, path, into.hashId().difference(from.hashId()));
    try {
      into.putAll(from);
    } catch (IllegalArgumentException e) { // too many stages, or too high an fpp
      throw new CommandException(firstPath + " and " + path + ": " + e.getMessage());
    }
  }

  private static void requireMergeable(Path path, Filter<Line> filter) {
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

  /** Checks that nothing keeps two filters from being combined. */
  static void requireCompatible(Path firstPath, Path secondPath, Optional<String> difference) {
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
