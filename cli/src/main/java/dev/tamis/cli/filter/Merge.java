package dev.tamis.cli.filter;

import dev.tamis.Storable;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.FileOwner;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.console.WaitOption;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.FilterPair;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.cli.place.Loaded;
import dev.tamis.cli.place.OverfullOption;
import dev.tamis.cli.place.RedisConnectionOptions;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.file.FilterFile;
import dev.tamis.file.WriteLock;
import dev.tamis.filter.BloomFilter;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis merge}: the union of filters. */
@Command(
    name = "merge",
    description = "Merge filters into one that contains the keys of all.",
    footer = {
      "Bloom filters and counting filters must have the same layout, bits, hashes",
      "and seed: build them with the same -n, -p and -t. Scalable filters may differ.",
      "Foreign filters can be merged if their own program could merge them. Other",
      "types cannot be merged.",
      "",
      "Example:",
      "  $ seq 1 600 | tamis build -q -n 1000 -o monday.tamis",
      "  $ seq 400 1000 | tamis build -q -n 1000 -o tuesday.tamis",
      "  $ tamis merge -o both.tamis monday.tamis tuesday.tamis",
      "  filters=2 keys=1009 ...",
    })
public final class Merge implements Callable<Integer> {

  private static final String NOT_WRITTEN = "it was not written";

  private final Streams streams;

  @Mixin private final KeyFile keyFile;
  @Mixin private final RedisConnectionOptions password;
  @Mixin private WaitOption wait = new WaitOption();
  @Mixin private OverfullOption overfull = new OverfullOption();
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      required = true,
      description = "The file to write; replaced atomically on success. It may be an input.")
  private FilterPlace output;

  @Parameters(
      paramLabel = "FILTER",
      arity = "1..*",
      description = "The filters to merge, two or more.")
  private List<FilterPlace> filters = List.of();

  public Merge(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
    this.password = new RedisConnectionOptions(streams.err());
  }

  @SuppressWarnings("try") // the lock is held, not used
  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    if (filters.size() < 2) {
      throw new CommandException("filters: must be two or more, got %s", filters.size());
    }
    Loaded.OfFilter union;
    if (output instanceof FilterPlace.InFile file) {
      try (WriteLock lock = wait.lock(file.path())) { // it may be an input
        union = union();
        CapacityWatch capacity = watch(union);
        if (!overfull.accepts(capacity, NOT_WRITTEN)) {
          return print(union, start);
        }
        Storable merged = union.stored();
        FileOwner.watch(file.path(), streams.err(), () -> FilterFile.save(file.path(), merged));
      }
    } else {
      union = union();
      if (overfull.accepts(watch(union), NOT_WRITTEN)) {
        upload((RedisName) output, union);
      }
    }
    return print(union, start);
  }

  private KeyRule rule() throws IOException {
    return FilterPlace.commonRule(filters, password);
  }

  private CapacityWatch watch(Loaded.OfFilter union) {
    CapacityWatch capacity = new CapacityWatch("merge", union.filter(), streams.err());
    capacity.accepted(0);
    return capacity;
  }

  private int print(Loaded.OfFilter union, long start) {
    Report summary =
        new Report()
            .count("filters", filters.size())
            .count("keys", union.filter().approximateElementCount().rounded())
            .number("fpp", union.filter().expectedFpp())
            .memory(union.filter().bitSize() / Byte.SIZE)
            .secondsSince(start);
    report.print(overfull.mark(summary), streams.err());
    return overfull.status();
  }

  private Loaded.OfFilter union() throws IOException {
    FilterPlace first = filters.get(0);
    Loaded.OfFilter union = filter(first);
    KeyRule unused = rule();
    for (FilterPlace place : filters.subList(1, filters.size())) {
      if (!mergedFromFile(first, union, place)) {
        new FilterPair(first, union, place, filter(place)).merge();
      }
    }
    return union;
  }

  /** Merges a Bloom filter from its file without loading it; false if it is of another kind. */
  private boolean mergedFromFile(FilterPlace first, Loaded.OfFilter union, FilterPlace place)
      throws IOException {
    if (!(union.filter() instanceof BloomFilter<Line> bloom
        && place instanceof FilterPlace.InFile file
        && Loaded.isBloomFile(file.path()))) {
      return false;
    }
    try {
      return keyFile.load(
          file.path(),
          (path, hasher) -> {
            FilterFile.putAll(bloom, path);
            return true;
          });
    } catch (IllegalArgumentException e) {
      throw FilterPair.notCompatible(first, place, e.getMessage());
    }
  }

  private Loaded.OfFilter filter(FilterPlace place) throws IOException {
    Loaded loaded = place.load(keyFile, password);
    if (loaded instanceof Loaded.OfFilter filter) {
      return filter;
    }
    throw FilterPair.notMergeable(place, loaded);
  }

  private void upload(RedisName server, Loaded.OfFilter union) throws IOException {
    BloomFilter<Line> bloom = RedisFilters.requireForServer(server, union);
    KeyRule rule = rule();
    RedisFilters.with(server, password, filters -> filters.upload(bloom, keyFile, rule));
  }
}
