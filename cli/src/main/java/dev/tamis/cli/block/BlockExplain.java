package dev.tamis.cli.block;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.blocklist.Blocklist.Explanation;
import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Printable;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis block explain}: why queries are blocked, or are not. */
@Command(
    name = "explain",
    description = "Print whether each QUERY is blocked, and by which entry of which list.",
    footer = {
      "Exit status: 0 if one is blocked, 1 if none is, 2 on any error.",
      "",
      "Example:",
      "  $ echo .spam.example | tamis block build -q -x -o spam.block",
      "  $ tamis block explain spam.block Ann@WWW.spam.example",
      "  ann@www.spam.example: blocked",
      "    listed as .spam.example (whole-domain) in standard input",
    })
final class BlockExplain implements Callable<Integer> {

  private final Streams streams;

  @Mixin private final KeyFile keyFile;

  @Option(names = "--json", description = "Print one line of JSON per query.")
  private boolean json;

  @Parameters(
      index = "0",
      paramLabel = "BLOCKLIST",
      description = "A file written by tamis block build.")
  private Path blocklist;

  @Parameters(
      index = "1..*",
      paramLabel = "QUERY",
      arity = "1..*",
      description = "Addresses, hosts, IP addresses or URLs.")
  private List<String> queries = List.of();

  BlockExplain(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    Blocklist list = BlockCommand.load(blocklist, keyFile);
    List<Explanation> explanations = queries.stream().map(list::explain).toList();
    for (Explanation explanation : explanations) {
      streams.print(json ? json(explanation) : text(explanation));
    }
    return explanations.stream().anyMatch(found -> found.verdict().isBlocked())
        ? 0
        : ExitStatus.NOTHING_FOUND;
  }

  private static String text(Explanation explanation) {
    StringBuilder text =
        new StringBuilder(Printable.line(explanation.query()))
            .append(": ")
            .append(BlockCommand.word(explanation.verdict()))
            .append('\n');
    for (Finding finding : explanation.findings()) {
      text.append("  ")
          .append(BlockCommand.word(finding.kind()))
          .append(finding.kind() == Finding.Kind.FALSE_POSITIVE ? " for " : " as ")
          .append(Printable.line(finding.entry()))
          .append(" (")
          .append(BlockCommand.word(finding.form()))
          .append(") in ")
          .append(Printable.line(finding.list()))
          .append('\n');
    }
    return text.toString();
  }

  private static String json(Explanation explanation) {
    List<Report> findings = new ArrayList<>();
    for (Finding finding : explanation.findings()) {
      findings.add(
          new Report()
              .text("list", finding.list())
              .text("form", BlockCommand.word(finding.form()))
              .text("entry", finding.entry())
              .text("kind", BlockCommand.word(finding.kind())));
    }
    return new Report()
            .text("query", explanation.query())
            .text("verdict", BlockCommand.word(explanation.verdict()))
            .each("finding", findings)
            .json()
        + "\n";
  }
}
