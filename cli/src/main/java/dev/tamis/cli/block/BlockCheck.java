package dev.tamis.cli.block;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.blocklist.Blocklist.Verdict;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineMatcher;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis block check}: the lines that are blocked, or those that are not. */
@Command(
    name = "check",
    description = "Print the lines that are blocked: addresses, hosts, IP addresses or URLs.",
    footer = {
      "Exit status: 0 if a line was printed, 1 if none was, 2 on any error.",
      "A line that is neither an address, a host nor a URL is never printed; it is an",
      "error, reported after all others, unless --skip-bad is given. Blank lines are",
      "ignored.",
      "",
      "Example:",
      "  $ echo .spam.example | tamis block build -q -o spam.block",
      "  $ printf 'a@www.spam.example\\nb@mail.example\\n' > senders",
      "  $ tamis block check -q spam.block senders",
      "  a@www.spam.example",
    })
final class BlockCheck implements Callable<Integer> {

  private static final int SHOWN_BAD_LINES = 10;

  private final Streams streams;
  private final Map<Verdict, Long> counts = new EnumMap<>(Verdict.class);
  private final List<String> firstBad = new ArrayList<>();
  private long lineNumber;
  private long bad;
  private long blank;

  @Mixin private SummaryOptions report = new SummaryOptions();
  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private DecompressOption decompression = new DecompressOption();
  @Mixin private final KeyFile keyFile;

  @Option(
      names = {"-v", "--invert"},
      description = "Print the lines that are not blocked.")
  private boolean invert;

  @Option(names = "--skip-bad", description = "Skip lines that are not an address, host or URL.")
  private boolean skipBad;

  @Parameters(
      index = "0",
      paramLabel = "BLOCKLIST",
      description = "A file written by tamis block build.")
  private Path blocklist;

  @Parameters(
      index = "1..*",
      paramLabel = "FILE",
      arity = "0..*",
      description = "Standard input for - or none.")
  private List<Path> files = List.of();

  BlockCheck(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    Inputs inputs = Inputs.of(files, delimiter.value(), decompression, streams);
    Blocklist list = BlockCommand.load(blocklist, keyFile);
    LineWriter writer = new LineWriter(new StandardOutput(streams.out()), delimiter.value());
    long lines = 0;
    try (Progress progress = report.progress(inputs.sizeInBytes(), false, streams.err())) {
      for (Inputs.Input input : inputs.each(progress)) {
        try (LineReader reader =
            new LineReader(List.of(input), delimiter.value(), line -> 0, writer)) {
          long before = lines;
          progress.countLines(() -> before + reader.lines());
          lineNumber = 0;
          LineMatcher.each(line -> isPrinted(list, line, input.name())).write(reader, true, writer);
          lines += reader.lines();
        }
      }
    }
    long judged = counts.values().stream().mapToLong(Long::longValue).sum();
    Reconciliation.check("lines", judged + blank + bad, lines);
    BlockCommand.warnings(skipBad ? "skipped" : "bad line", bad, firstBad)
        .forEach(line -> streams.err().line(line));
    report.print(summary(lines).secondsSince(start), streams.err());
    if (bad > 0 && !skipBad) {
      return ExitStatus.ERROR;
    }
    return writer.lines() > 0 ? 0 : ExitStatus.NOTHING_FOUND;
  }

  private boolean isPrinted(Blocklist list, Line line, String name) {
    lineNumber++;
    String text = line.text().strip();
    if (text.isEmpty()) {
      blank++;
      return false;
    }
    try {
      Verdict verdict = list.check(text);
      counts.merge(verdict, 1L, Long::sum);
      return verdict.isBlocked() != invert;
    } catch (IllegalArgumentException e) {
      if (bad++ < SHOWN_BAD_LINES) {
        firstBad.add(name + ":" + lineNumber + ": " + e.getMessage());
      }
      return false;
    }
  }

  private Report summary(long lines) {
    Report facts = new Report().count("lines", lines);
    for (Verdict verdict : Verdict.values()) {
      facts.count(BlockCommand.word(verdict), counts.getOrDefault(verdict, 0L));
    }
    return facts.count("blank", blank).count("bad", bad);
  }
}
