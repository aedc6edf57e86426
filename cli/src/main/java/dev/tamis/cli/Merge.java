package dev.tamis.cli;

import static java.util.Objects.requireNonNull;

import dev.tamis.Estimate;
import dev.tamis.Filter;
import dev.tamis.cli.lines.Line;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.kit.file.FilterFile;
import dev.tamis.kit.file.ForeignFile;
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
      description = "The file to write, which is replaced when all is done. It may be an input.")
  private @Nullable Path output;

  @Parameters(
      paramLabel = "FILTER",
      arity = "1..*",
      description = "The filters to merge, two or more.")
  private List<Path> filters = List.of();

  Merge(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    if (filters.size() < 2) {
      throw new CommandException("give two filters or more, got " + filters.size());
    }
    Facts union = FilterFiles.areForeign(filters) ? foreign() : ours();
    Facts account = new Facts().count("filters", filters.size()).all(union).secondsSince(start);
    report.print(account, streams.err());
    return 0;
  }

  private Facts ours() throws IOException {
    Path first = filters.get(0);
    Filter<Line> union = keyFile.load(first);
    for (Path path : filters.subList(1, filters.size())) {
      FilterFiles.merge(first, union, path, keyFile.load(path));
    }
    FilterFile.save(requireNonNull(output, "picocli requires it"), union);
    Overfull.warning("merge", union).ifPresent(line -> report.warn(line, streams.err()));
    return facts(union.approximateElementCount(), union.expectedFpp(), union.bitSize());
  }

  private Facts foreign() throws IOException {
    Path first = filters.get(0);
    ForeignFilter<Line> union = keyFile.load(first, ForeignFile::<Line>load);
    for (Path path : filters.subList(1, filters.size())) {
      ForeignFilter<Line> other = keyFile.load(path, ForeignFile::<Line>load);
      FilterFiles.requireCompatible(first, path, union.incompatibility(other));
      union.putAll(other);
    }
    ForeignFile.save(requireNonNull(output, "picocli requires it"), union);
    return facts(union.approximateElementCount(), union.expectedFpp(), union.bitSize());
  }

  private static Facts facts(Estimate keys, double fpp, long bits) {
    return new Facts().count("keys", keys.rounded()).number("fpp", fpp).memory(bits / Byte.SIZE);
  }
}
