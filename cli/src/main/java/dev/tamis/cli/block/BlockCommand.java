package dev.tamis.cli.block;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Streams;
import dev.tamis.hash.HashKey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
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

  static List<String> refusal(long count, List<String> first) {
    List<String> lines = new ArrayList<>(first);
    lines.add(
        count(count, first) + "nothing was written; fix the lines, or skip them with --skip-bad");
    return lines;
  }

  static List<String> warnings(String what, long count, List<String> first) {
    List<String> lines = new ArrayList<>();
    first.forEach(line -> lines.add("warning: " + what + ": " + line));
    if (count > first.size()) {
      lines.add("warning: " + count(count, first) + "see the summary");
    }
    return lines;
  }

  static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static String count(long count, List<String> first) {
    return count > first.size()
        ? String.format(Locale.ROOT, "and %d more lines; ", count - first.size())
        : "";
  }

  static Blocklist load(Path path, KeyFile keyFile) throws IOException {
    return keyFile.load(
        path,
        (file, hasher) -> {
          Optional<HashKey> key = hasher.hashKey();
          return key.isPresent() ? Blocklist.load(file, key.get()) : Blocklist.load(file);
        },
        Blocklist::hashIdOf);
  }
}
