package dev.tamis.cli;

import static java.util.Objects.requireNonNull;

import dev.tamis.MutableFilter;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.kit.dedup.DedupSummary;
import dev.tamis.kit.dedup.Deduplicator;
import dev.tamis.kit.file.AtomicFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis build}: a filter of the lines. */
@Command(
    name = "build",
    description = "Make a filter of the lines, for tamis check and for programs.",
    footer = {
      "",
      "Without -n, regular files are read twice: once to count their lines.",
      "",
      "Example:",
      "  $ tamis build -o words.tamis -p 0.001 /usr/share/dict/words",
      "  $ echo qwertz | tamis check -v words.tamis",
      "  qwertz",
    })
final class Build implements Callable<Integer> {

  private final Streams streams;

  @Mixin private FilterOptions sizing = new FilterOptions();
  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private AccountOptions report = new AccountOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILTER",
      required = true,
      description = "The file to write, which is replaced when all is done.")
  private @Nullable Path output;

  @Option(
      names = {"-t", "--type"},
      paramLabel = "TYPE",
      converter = FilterType.Converter.class,
      description = {
        "One of ${COMPLETION-CANDIDATES}.",
        "Blocked unless given; scalable grows, from -n.",
      })
  private FilterType type = FilterType.BLOCKED;

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  Build(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    sizing.check();
    Inputs inputs = Inputs.of(files, delimiter.value(), streams);
    Deduplicator<Line> filled;
    try (AtomicFile file = AtomicFile.create(requireNonNull(output, "picocli requires it"))) {
      filled = Deduplicator.over(filter(inputs));
      fill(filled, inputs);
      filled.filter().writeTo(file.out());
      file.commit();
    }
    Overfull.warning("build", filled.filter()).ifPresent(line -> report.warn(line, streams.err()));
    report.print(account(filled.summary()).secondsSince(start), streams.err());
    return 0;
  }

  private void fill(Deduplicator<Line> filled, Inputs inputs) throws IOException {
    try (Progress progress = report.progress(inputs.sizeInBytes(), true, streams.err());
        LineReader reader = inputs.lines(progress, () -> {})) {
      FirstSeen marks = new FirstSeen(filled);
      for (int count = reader.next(); count > 0; count = reader.next()) {
        marks.look(reader, count);
      }
      Books.check("lines", reader.lines(), filled.seen());
    }
  }

  private static Facts account(DedupSummary summary) {
    return new Facts()
        .count("lines", summary.seen())
        .count("unique", summary.unique())
        .count("duplicates", summary.duplicates())
        .number("fpp", summary.fpp())
        .memory(summary.memoryBytes());
  }

  private MutableFilter<Line> filter(Inputs inputs) throws IOException {
    if (type == FilterType.SCALABLE) {
      if (sizing.memoryBytes() != null) {
        throw new CommandException("-m cannot fix the memory of a scalable filter; leave it out");
      }
      return sizing.growing(
          sizing.expectedKeys() != null ? OptionalLong.empty() : inputs.estimatedLines());
    }
    return sizing.fixed(type.layout(), keys(inputs));
  }

  private OptionalLong keys(Inputs inputs) throws IOException {
    boolean needed =
        sizing.expectedKeys() == null && (sizing.memoryBytes() == null || !sizing.hasFpp());
    if (!needed) {
      return OptionalLong.empty();
    }
    if (inputs.areRegularFiles()) {
      return OptionalLong.of(Math.max(1, inputs.countLines()));
    }
    if (sizing.memoryBytes() != null) {
      return OptionalLong.empty();
    }
    throw new CommandException(
        "-n is needed, because lines from a pipe cannot be counted first; say how many distinct"
            + " lines to expect, or let the filter grow with -t scalable");
  }
}
