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
      "Example:",
      "  $ tamis key new -q secret.key",
      "  $ seq 1000 | tamis build -q -n 1000 --key-file secret.key -o numbers.tamis",
    })
public final class KeyCommand {

  private KeyCommand() {}

  public static CommandLine withSubcommands(Streams streams) {
    return new CommandLine(new KeyCommand()).addSubcommand(new KeyNew(streams));
  }
}
