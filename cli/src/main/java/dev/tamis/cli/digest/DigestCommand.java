package dev.tamis.cli.digest;

import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.Report;
import dev.tamis.tools.digest.CacheDigest;
import java.util.Locale;
import java.util.Optional;
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

  static Report brief(CacheDigest digest) {
    return new Report()
        .count("capacity", digest.size().capacity())
        .count("count", digest.count())
        .count("bits-per-entry", digest.size().bitsPerEntry())
        .count("set-bits", digest.setBits())
        .number("filled", digest.filling())
        .number("fpp", digest.expectedFpp())
        .count("bytes", digest.serializedSize());
  }

  static Report full(CacheDigest digest) {
    return new Report()
        .text("kind", "cache digest")
        .count("version", digest.version())
        .count("required-version", digest.requiredVersion())
        .count("capacity", digest.size().capacity())
        .count("bits-per-entry", digest.size().bitsPerEntry())
        .count("bits", digest.size().bits())
        .count("hashes", CacheDigest.HASHES)
        .count("count", digest.count())
        .count("deleted", digest.deleted())
        .count("set-bits", digest.setBits())
        .number("filled", digest.filling())
        .text("overfull", digest.isOverfull() ? "yes" : "no")
        .estimate("keys", digest.approximateElementCount())
        .number("fpp", digest.expectedFpp())
        .count("bytes", digest.serializedSize());
  }

  static Optional<String> warning(String command, CacheDigest digest) {
    if (!digest.isOverfull()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "tamis digest %s: warning: %.0f %% of the bits are set%s; Squid ignores a neighbour's"
                + " digest above %.0f %%; build it for more entries, or with more bits per entry",
            command,
            100 * digest.filling(),
            digest.filling() < 1 ? "" : ", so every URL is a hit",
            100 * CacheDigest.MAX_USEFUL_FILLING));
  }
}
