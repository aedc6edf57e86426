package dev.tamis.cli.stats;

import dev.tamis.cli.console.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tamis stats}: what a stream is made of, in one pass. */
@Command(
    name = "stats",
    description = "Say what a stream is made of, in one pass and a fixed amount of memory.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example:",
      "  $ tamis stats lines -k 3 access.log",
    })
public final class StatsCommand {

  /** Returns the command with those below it. */
  public static CommandLine withCommands(Streams streams) {
    return new CommandLine(new StatsCommand()).addSubcommand(new StatsLines(streams));
  }
}
