package dev.tamis.cli;

import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.sizing.Overlap;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis count}: how many distinct keys filters hold, and share. */
@Command(
    name = "count",
    description = "Estimate how many distinct keys a filter holds; of two, how many they share.",
    footer = {
      "",
      "The interval holds the true number 95 times in 100.",
      "",
      "Example:",
      "  $ seq 1000 | tamis build -q -n 1000 -o a.tamis",
      "  $ tamis count a.tamis",
      "  keys  1000 (999 to 1001)",
    })
final class Count implements Callable<Integer> {

  private final Streams streams;

  @Mixin private KeyFile keyFile = new KeyFile();

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  @Parameters(
      paramLabel = "FILTER",
      arity = "1..2",
      converter = FilterPlace.Converter.class,
      description = "One filter or two.")
  private List<FilterPlace> filters = List.of();

  Count(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    Facts facts = filters.size() == 1 ? one() : two();
    streams.print(json ? facts.json() + "\n" : facts.table());
    return 0;
  }

  private Facts one() throws IOException {
    return new Facts().estimate("keys", filters.get(0).load(keyFile).approximateElementCount());
  }

  private BloomFilter<Line> bloom(FilterPlace place) throws IOException {
    return FilterFiles.requireBloom(place, place.load(keyFile));
  }

  private Facts two() throws IOException {
    BloomFilter<Line> first = bloom(filters.get(0));
    BloomFilter<Line> second = bloom(filters.get(1));
    FilterFiles.requireCompatible(filters.get(0), first, filters.get(1), second);
    Overlap overlap = first.estimateOverlap(second);
    return new Facts()
        .estimate("first", overlap.first())
        .estimate("second", overlap.second())
        .estimate("union", overlap.union())
        .estimate("intersection", overlap.intersection());
  }
}
