package dev.tamis.cli.block;

import dev.tamis.blocklist.BadLineReason;
import dev.tamis.blocklist.BadLinesException;
import dev.tamis.blocklist.Blocklist;
import dev.tamis.blocklist.BlocklistBuilder;
import dev.tamis.blocklist.BuildSummary;
import dev.tamis.blocklist.BuildSummary.LineCounts;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.FileOwner;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis block build}: a block list of the lines. */
@Command(
    name = "build",
    description = "Build a block list from the lines of each LIST.",
    footer = {
      "Lines of a LIST or an --allow FILE:",
      "  user@example.com      that address",
      "  example.com           that host, and every address and URL at it",
      "  .example.com          the domain, all below it, every address and URL at them",
      "  *.example.com         all below the domain",
      "  192.0.2.7             that IP address; also 2001:db8::7",
      "  192.0.2.0/24          that network; also 2001:db8::/32",
      "  http://example.com/x  that URL, with any query, and all below /x/; http or https",
      "  ||example.com^        the same as .example.com, as ad blockers have it",
      "  ||example.com/x^      that URL at the domain and at all below it",
      "  0.0.0.0 example.com   the same as example.com, as hosts files have it",
      "  # comment             so is a line that starts with !",
      "Public suffixes, under which anybody can register, such as co.uk, are refused,",
      "and so are rules of ad blockers that say more than a name or a URL.",
      "",
      "block explain names a LIST by its file name, without the directory.",
      "",
      "The file can be queried by anybody unless --key-file is given; with a secret",
      "key nobody else can search it for addresses that are blocked by mistake.",
      "",
      "Example:",
      "  $ printf '.spam.example\\nnews.example\\n' > spam.txt",
      "  $ echo ann@news.example > customers.txt",
      "  $ tamis block build -q -o spam.block --known-good customers.txt spam.txt",
      "  warning: conflict: customers.txt:1: ...",
      "  $ echo bob@www.spam.example | tamis block check -q spam.block",
      "  bob@www.spam.example",
    })
final class BlockBuild implements Callable<Integer> {

  private static final String STANDARD_INPUT = "standard input";

  private final Streams streams;

  @Mixin private DecompressOption decompression = new DecompressOption();
  @Mixin private SummaryOptions report = new SummaryOptions();
  @Mixin private final KeyFile keyFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write; replaced atomically on success.")
  private Path output;

  @Option(
      names = {"-p", "--fpp"},
      paramLabel = "P",
      description =
          "False-positive probability of a query over all its lookups, between 0 and 1"
              + " (default: "
              + FilterOptions.DEFAULT_FPP_TEXT
              + ").")
  private double fpp = FilterOptions.DEFAULT_FPP;

  @Option(
      names = "--allow",
      paramLabel = "FILE",
      description = "Never block what its lines match. Repeatable.")
  private List<Path> allow = List.of();

  @Option(
      names = "--known-good",
      paramLabel = "FILE",
      description =
          "Never block the addresses, hosts and URLs in it, neither by a false positive nor,"
              + " with a warning, because they are listed. Repeatable.")
  private List<Path> knownGood = List.of();

  @Option(
      names = {"-x", "--exact"},
      description =
          "Store 8 bytes per entry in the file, not in memory, to confirm what is blocked.")
  private boolean exact;

  @Option(
      names = "--ignore-tags",
      description = "Treat user+tag@example.com as user@example.com too.")
  private boolean ignoreTags;

  @Option(names = "--skip-bad", description = "Skip and count lines that are not entries.")
  private boolean skipBad;

  @Parameters(paramLabel = "LIST", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  BlockBuild(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    Inputs inputs = Inputs.of(files, (byte) '\n', decompression, streams);
    BlocklistBuilder.Built built;
    try {
      built = build(inputs);
    } catch (BadLinesException e) {
      throw new CommandException(BlockCommand.refusal(e.count(), e.examples()));
    }
    Path file = output;
    FileOwner.watch(file, streams.err(), () -> built.blocklist().save(file));
    warn(built.summary());
    report.print(summary(built).secondsSince(start), streams.err());
    return 0;
  }

  private BlocklistBuilder.Built build(Inputs inputs) throws IOException {
    BlocklistBuilder builder =
        keyFile.hasher().hashKey().map(Blocklist::builder).orElseGet(Blocklist::builder).fpp(fpp);
    if (exact) {
      builder.exact();
    }
    if (ignoreTags) {
      builder.ignoreTags();
    }
    if (skipBad) {
      builder.skipBadLines();
    }
    for (Path file : allow) {
      builder.allow(file);
    }
    knownGood.forEach(builder::knownGood);
    Set<String> tags = new HashSet<>();
    try (Progress progress = report.progress(inputs.sizeInBytes(), true, streams.err())) {
      for (Inputs.Input input : inputs.each(progress)) {
        String tag = tag(input);
        if (!tags.add(tag)) {
          throw new CommandException("two lists are named %s: names must differ; rename one", tag);
        }
        try (InputStream in = input.open()) {
          builder.block(tag, input.name(), in);
        }
      }
    }
    return builder.build();
  }

  private static String tag(Inputs.Input input) {
    Path name = input.path().getFileName();
    return input.isStandardInput() || name == null ? STANDARD_INPUT : name.toString();
  }

  private void warn(BuildSummary counts) {
    BlockCommand.warnings("skipped", counts.bad(), counts.badLines())
        .forEach(line -> streams.err().line(line));
    BlockCommand.warnings("conflict", counts.conflicts(), counts.conflictLines())
        .forEach(line -> streams.err().line(line));
  }

  private Report summary(BlocklistBuilder.Built built) throws IOException {
    Blocklist blocklist = built.blocklist();
    BuildSummary counts = built.summary();
    LineCounts lists = counts.lists();
    Reconciliation.check(
        "lines of lists", lists.used() + lists.blank() + lists.bad(), lists.lines());
    long reasons = counts.badReasons().values().stream().mapToLong(Long::longValue).sum();
    Reconciliation.check("bad lines of lists", reasons, lists.bad());
    LineCounts good = counts.knownGood();
    long known = counts.clear() + counts.falsePositives() + counts.conflicts();
    Reconciliation.check("known-good lines", known + good.blank() + good.bad(), good.lines());
    Report facts =
        new Report()
            .count("lines", lists.lines())
            .count("used", lists.used())
            .count("blank", lists.blank())
            .count("bad", lists.bad());
    for (BadLineReason reason : BadLineReason.values()) {
      if (counts.badReasons().containsKey(reason)) {
        facts.count("bad-" + BlockCommand.word(reason), counts.badReasons().get(reason));
      }
    }
    return facts
        .count("entries", blocklist.entries())
        .count("repeats", counts.parsedEntries() - blocklist.entries())
        .count("allow", blocklist.allowEntries())
        .count("known-good", good.used())
        .count("clear", counts.clear())
        .count("false-positives", counts.falsePositives())
        .count("conflicts", counts.conflicts())
        .count("exceptions", blocklist.exceptions())
        .number("fpp", blocklist.expectedFpp())
        .memory(blocklist.memoryBytes())
        .count("bytes", Files.size(output));
  }
}
