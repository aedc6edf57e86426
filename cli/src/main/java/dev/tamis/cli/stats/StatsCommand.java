package dev.tamis.cli.stats;

import dev.tamis.cli.console.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tamis stats}: statistics of a stream, in one pass. */
@Command(
    name = "stats",
    description = "Compute statistics of a stream, in one pass and fixed memory.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "Example:",
      "  $ printf 'b\\na\\nb\\n' | tamis stats lines -k 1",
      "  lines               3",
      "  ...",
    })
public final class StatsCommand {

  public static CommandLine withCommands(Streams streams) {
    return new CommandLine(new StatsCommand()).addSubcommand(new StatsLines(streams));
  }
}
