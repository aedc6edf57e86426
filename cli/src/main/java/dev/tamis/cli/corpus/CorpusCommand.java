package dev.tamis.cli.corpus;

import dev.tamis.cli.console.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tamis corpus}: text collections as JSON lines. */
@Command(
    name = "corpus",
    description =
        "Remove repeats from text collections of JSON lines, by documents, paragraphs or n-grams,"
            + " or what overlaps an evaluation set.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "Inputs are files of JSON lines, plain or compressed, and folders, in which all",
      "files called *.jsonl, *.json or *.ndjson are read, with .gz, .zst, .bz2 or .xz",
      "after that or not.",
      "",
      "Example:",
      "  $ printf '{\"text\":\"one\"}\\n{\"text\":\"one\"}\\n' > texts.jsonl",
      "  $ tamis corpus dedup -o unique texts.jsonl",
      "  records=2 kept=1 ...",
      "  $ cat unique/texts.jsonl",
      "  {\"text\":\"one\"}",
    })
public final class CorpusCommand {

  private CorpusCommand() {}

  public static CommandLine withSubcommands(Streams streams) {
    return new CommandLine(new CorpusCommand())
        .addSubcommand(new CorpusDedup(streams))
        .addSubcommand(new CorpusBuild(streams))
        .addSubcommand(new CorpusMatch(streams));
  }
}
