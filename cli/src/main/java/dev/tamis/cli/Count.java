package dev.tamis.cli;

import dev.tamis.Estimate;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.kit.file.ForeignFile;
import dev.tamis.sizing.Overlap;
import java.io.IOException;
import java.nio.file.Path;
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

  @Parameters(paramLabel = "FILTER", arity = "1..2", description = "One filter or two.")
  private List<Path> filters = List.of();

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
    Path path = filters.get(0);
    Estimate keys =
        ForeignFile.isForeign(path)
            ? foreign(path).approximateElementCount()
            : keyFile.load(path).approximateElementCount();
    return new Facts().estimate("keys", keys);
  }

  private ForeignFilter<Line> foreign(Path path) throws IOException {
    return keyFile.load(path, ForeignFile::<Line>load);
  }

  private Overlap foreignOverlap() throws IOException {
    ForeignFilter<Line> first = foreign(filters.get(0));
    ForeignFilter<Line> second = foreign(filters.get(1));
    FilterFiles.requireCompatible(filters.get(0), first, filters.get(1), second);
    return first.estimateOverlap(second);
  }

  private Overlap overlap() throws IOException {
    BloomFilter<Line> first = bloom(filters.get(0));
    BloomFilter<Line> second = bloom(filters.get(1));
    FilterFiles.requireCompatible(filters.get(0), first, filters.get(1), second);
    return first.estimateOverlap(second);
  }

  private BloomFilter<Line> bloom(Path path) throws IOException {
    return FilterFiles.requireBloom(path, keyFile.load(path));
  }

  private Facts two() throws IOException {
    Overlap overlap = FilterFiles.areForeign(filters) ? foreignOverlap() : overlap();
    return new Facts()
        .estimate("first", overlap.first())
        .estimate("second", overlap.second())
        .estimate("union", overlap.union())
        .estimate("intersection", overlap.intersection());
  }
}
