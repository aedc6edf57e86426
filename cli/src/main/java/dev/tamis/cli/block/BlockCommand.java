package dev.tamis.cli.block;

import dev.tamis.cli.console.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tamis block}: lists of addresses, domains, networks and URLs to block. */
@Command(
    name = "block",
    description = "Block addresses, domains, networks and URLs by large lists in little memory.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "tamis help block COMMAND explains a command.",
      "",
      "Example:",
      "  $ printf '.spam.example\\njoe@mail.example\\n' > spam",
      "  $ tamis block build -q -o spam.block spam",
      "  $ printf 'ann@www.spam.example\\nann@mail.example\\n' > senders",
      "  $ tamis block check -q spam.block senders",
      "  ann@www.spam.example",
    })
public final class BlockCommand {

  private BlockCommand() {}

  public static CommandLine withSubcommands(Streams streams) {
    return new CommandLine(new BlockCommand())
        .addSubcommand(new BlockBuild(streams))
        .addSubcommand(new BlockCheck(streams))
        .addSubcommand(new BlockExplain(streams));
  }
}
