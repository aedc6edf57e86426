package dev.tamis.cli.digest;

import dev.tamis.cli.console.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tamis digest}: what a Squid says it has cached. */
@Command(
    name = "digest",
    description = "Read and make Squid's cache digests: filters of the URLs in a cache.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "tamis digest COMMAND --help explains a command.",
      "",
      "A URL is looked for byte by byte, so it must be written as Squid's log has it:",
      "scheme and host in lower case, no default port, a path, no fragment.",
      "",
      "Example:",
      "  $ printf 'http://a.example/\\nhttp://b.example/\\n' > cached",
      "  $ tamis digest make -q -o a.digest cached",
      "  $ echo http://b.example/ | tamis digest check a.digest",
      "  http://b.example/",
    })
public final class DigestCommand {

  private DigestCommand() {}

  /** Returns the command with its own commands. */
  public static CommandLine withSubcommands(Streams streams) {
    return new CommandLine(new DigestCommand())
        .addSubcommand(new DigestFetch(streams))
        .addSubcommand(new DigestShow(streams))
        .addSubcommand(new DigestCheck(streams))
        .addSubcommand(new DigestMake(streams));
  }
}
