package dev.tamis.cli;

import static java.util.Objects.requireNonNull;

import dev.tamis.Estimate;
import dev.tamis.HashedFilter;
import dev.tamis.cli.lines.Line;
import dev.tamis.file.AtomicFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.interop.ForeignFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis merge}: the union of filters. */
@Command(
    name = "merge",
    description = "Make one filter that holds all that the given filters hold.",
    footer = {
      "",
      "Bloom filters and counting filters must have the same layout, bits, hashes",
      "and seed: make them with the same -n, -p and -t. Scalable ones may differ.",
      "Two filters of another program can be merged if that could do it.",
      "Other types cannot be merged.",
      "",
      "Example:",
      "  $ tamis build -n 10M -o monday.tamis monday.txt",
      "  $ tamis build -n 10M -o tuesday.tamis tuesday.txt",
      "  $ tamis merge -o both.tamis monday.tamis tuesday.tamis",
    })
final class Merge implements Callable<Integer> {

  private final Streams streams;

  @Mixin private KeyFile keyFile = new KeyFile();
  @Mixin private AccountOptions report = new AccountOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "OUT",
      required = true,
      converter = FilterPlace.Converter.class,
      description = "The file to write, which is replaced when all is done. It may be an input.")
  private @Nullable FilterPlace output;

  @Parameters(
      paramLabel = "FILTER",
      arity = "1..*",
      converter = FilterPlace.Converter.class,
      description = "The filters to merge, two or more.")
  private List<FilterPlace> filters = List.of();

  Merge(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    if (filters.size() < 2) {
      throw new CommandException("give two filters or more, got " + filters.size());
    }
    FilterPlace first = filters.get(0);
    Contents union = first.contents(keyFile);
    for (FilterPlace place : filters.subList(1, filters.size())) {
      FilterFiles.merge(first, union, place, place.contents(keyFile));
    }
    save(requireNonNull(output, "picocli requires it"), union);
    Facts account =
        new Facts().count("filters", filters.size()).all(facts(union)).secondsSince(start);
    report.print(account, streams.err());
    return 0;
  }

  private void save(FilterPlace place, Contents union) throws IOException {
    if (place instanceof FilterPlace.InFile file) {
      save(file.path(), union);
    } else if (place instanceof RedisName server) {
      BloomFilter<Line> bloom = FilterFiles.requireForServer(server, union);
      RedisFilters.with(server, filters -> filters.upload(bloom, keyFile));
    }
  }

  private static void save(Path path, Contents union) throws IOException {
    try (AtomicFile file = AtomicFile.create(path)) {
      union.stored().writeTo(file.out());
      file.commit();
    }
  }

  private Facts facts(Contents union) {
    if (union instanceof Contents.Foreign foreign) {
      ForeignFilter<Line> filter = foreign.filter();
      return facts(filter.approximateElementCount(), filter.expectedFpp(), filter.bitSize());
    }
    HashedFilter<Line> filter = ((Contents.Ours) union).filter(); // sketches are refused before
    Overfull.warning("merge", filter).ifPresent(line -> report.warn(line, streams.err()));
    return facts(filter.approximateElementCount(), filter.expectedFpp(), filter.bitSize());
  }

  private static Facts facts(Estimate keys, double fpp, long bits) {
    return new Facts().count("keys", keys.rounded()).number("fpp", fpp).memory(bits / Byte.SIZE);
  }
}
