package dev.tamis.cli;

import static java.util.Objects.requireNonNull;

import dev.tamis.Filter;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.kit.file.FilterFile;
import java.io.IOException;
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
    Filter<Line> union = first.load(keyFile);
    for (FilterPlace place : filters.subList(1, filters.size())) {
      FilterFiles.merge(first, union, place, place.load(keyFile));
    }
    if (requireNonNull(output, "picocli requires it") instanceof RedisName server) {
      BloomFilter<Line> bloom = FilterFiles.requireForServer(server, union);
      RedisFilters.with(server, filters -> filters.upload(bloom, keyFile));
    } else if (output instanceof FilterPlace.InFile file) {
      FilterFile.save(file.path(), union);
    }
    Overfull.warning("merge", union).ifPresent(line -> report.warn(line, streams.err()));
    Facts account =
        new Facts()
            .count("filters", filters.size())
            .count("keys", union.approximateElementCount().rounded())
            .number("fpp", union.expectedFpp())
            .memory(union.bitSize() / Byte.SIZE)
            .secondsSince(start);
    report.print(account, streams.err());
    return 0;
  }
}
