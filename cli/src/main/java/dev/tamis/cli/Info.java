package dev.tamis.cli;

import static java.util.Objects.requireNonNull;

import dev.tamis.Filter;
import dev.tamis.cli.lines.Line;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.FillState;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.Kind;
import dev.tamis.kit.file.FilterFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis info}: what a file with a filter holds. */
@Command(
    name = "info",
    description = "Print what a filter is and how full.",
    footer = {
      "",
      "Example:",
      "  $ seq 1000 | tamis build -q -n 1000 -p 0.01 -o a.tamis",
      "  $ tamis info a.tamis",
      "  kind           bloom",
      "  layout         split",
      "  ...",
    })
final class Info implements Callable<Integer> {

  private final Streams streams;

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  @Parameters(paramLabel = "FILTER", description = "A file by tamis build or dedup -s.")
  private @Nullable Path path;

  Info(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    Path file = requireNonNull(path, "picocli requires it");
    Filter<Line> filter = FilterFile.load(file, Line.HASHER);
    Facts facts = new Facts();
    if (filter instanceof ScalableBloomFilter<Line> scalable) {
      describe(facts.text("kind", Kind.SCALABLE_BLOOM.label()), scalable);
    } else if (filter instanceof BloomFilter<Line> bloom) {
      describe(facts.text("kind", Kind.BLOOM.label()), bloom)
          .text(bloom.hashId().algorithm().numberName(), bloom.hashId().printedNumber());
    }
    facts.count("bytes", filter.serializedSize()).text("checksum", checksum(file, filter));
    streams.print(json ? facts.json() + "\n" : facts.table());
    return 0;
  }

  private static Facts describe(Facts facts, BloomFilter<Line> filter) {
    FillState fill = filter.fillState();
    return facts
        .text("layout", filter.shape().layout().label())
        .count("bits", filter.bitSize())
        .count("hashes", filter.shape().hashes())
        .count("ones", fill.ones())
        .number("filled", fill.fractionFilled())
        .count("expected-keys", filter.expectedKeys())
        .estimate("keys", fill.keys())
        .number("fpp-asked", filter.fpp())
        .number("fpp", fill.fpp());
  }

  private static void describe(Facts facts, ScalableBloomFilter<Line> filter) {
    facts
        .count("bits", filter.bitSize())
        .estimate("keys", filter.approximateElementCount())
        .number("fpp-asked", filter.fpp())
        .number("fpp", filter.expectedFpp())
        .text(filter.hashId().algorithm().numberName(), filter.hashId().printedNumber());
    List<Facts> stages = new ArrayList<>();
    for (BloomFilter<Line> stage : filter.stages()) {
      stages.add(describe(new Facts(), stage));
    }
    facts.each("stage", stages);
  }

  /** Reads the checksum at the end of the file, which was found right when it was loaded. */
  private static String checksum(Path file, Filter<Line> filter) throws IOException {
    ByteBuffer trailer = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      channel.read(trailer, filter.serializedSize() - Integer.BYTES);
    }
    return HexFormat.of().toHexDigits(trailer.getInt(0));
  }
}
