package dev.tamis.cli.digest;

import dev.tamis.cli.console.Streams;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code tamis digest}: which URLs a Squid has cached. */
@Command(
    name = "digest",
    description = "Read and build Squid cache digests: filters of the URLs in a cache.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "tamis help digest COMMAND explains a command.",
      "",
      "URLs are compared byte by byte, so write them as Squid's log does: scheme and",
      "host in lower case, no default port, a path, no fragment.",
      "",
      "Example:",
      "  $ printf 'http://a.example/\\nhttp://b.example/\\n' > cached",
      "  $ tamis digest make -q -o a.digest cached",
      "  $ echo http://b.example/ | tamis digest check a.digest",
      "  http://b.example/",
    })
public final class DigestCommand {

  private DigestCommand() {}

  public static CommandLine withSubcommands(Streams streams) {
    return new CommandLine(new DigestCommand())
        .addSubcommand(new DigestFetch(streams))
        .addSubcommand(new DigestShow(streams))
        .addSubcommand(new DigestCheck(streams))
        .addSubcommand(new DigestMake(streams));
  }
}
