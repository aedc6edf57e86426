package dev.tamis.cli.key;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.file.HashKeyFile;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

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

  /** {@code tamis key new}: a new secret key. */
  @Command(
      name = "new",
      description = "Write a new random key to a file that only you may read.",
      footer = {
        "The file has 32 hexadecimal digits. Filters contain the id of their key, never",
        "the key: without it they can no longer be read.",
        "",
        "Example:",
        "  $ tamis key new secret.key",
        "  key-id=...",
      })
  static final class KeyNew implements Callable<Integer> {

    private final Streams streams;

    @Mixin private SummaryOptions report = new SummaryOptions();

    @Parameters(paramLabel = "FILE", description = "Where to write it; must not exist.")
    private Path file;

    KeyNew(Streams streams) {
      this.streams = streams;
    }

    @Override
    public Integer call() throws IOException {
      try {
        HashKey key = HashKeyFile.create(file);
        report.print(
            new Report().text("key-id", HexFormat.of().toHexDigits(key.id())), streams.err());
        return 0;
      } catch (FileAlreadyExistsException e) {
        throw new CommandException(
            "%s: exists, and filters may need its key; name another file, or remove it first",
            file);
      }
    }
  }
}
