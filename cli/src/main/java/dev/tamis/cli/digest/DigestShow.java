package dev.tamis.cli.digest;

import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.Report;
import dev.tamis.tools.digest.CacheDigest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis digest show}: what a cache digest says of itself, and what its bits say. */
@Command(
    name = "show",
    description = "Print the parameters and the fill of a digest.",
    footer = {
      "count is what the cache reports, keys is estimated from the set bits. A Squid",
      "that has just resized its digest reports too many. fpp is the false-positive",
      "probability of a URL that was not in the cache; changes of the cache since add",
      "to it. Squid ignores a neighbour's digest if over 65 % of its bits are set.",
      "",
      "Example:",
      "  $ seq -f http://a.example/%.0f 1000 > cached",
      "  $ tamis digest make -q -o a.digest cached",
      "  $ tamis digest show a.digest",
      "  kind              cache digest",
      "  version           5",
      "  ...",
    })
final class DigestShow implements Callable<Integer> {

  private final Streams streams;

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  @Parameters(paramLabel = "FILE", description = "A file written by tamis digest fetch or make.")
  private Path file;

  DigestShow(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    CacheDigest digest = CacheDigest.load(file);
    Report facts = DigestCommand.full(digest);
    streams.print(json ? facts.json() + "\n" : facts.table());
    return 0;
  }
}
