package dev.tamis.cli.key;

import dev.tamis.cli.console.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tamis key}: secret keys for filters. */
@Command(
    name = "key",
    description = "Create secret keys for filters whose keys an attacker may choose.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example:",
      "  $ tamis key new secret.key",
      "  $ tamis build -q --key-file secret.key -o words.tamis /usr/share/dict/words",
    })
public final class KeyCommand {

  private KeyCommand() {}

  /** Returns the command with its subcommands. */
  public static CommandLine withSubcommands(Streams streams) {
    return new CommandLine(new KeyCommand()).addSubcommand(new KeyNew(streams));
  }
}
