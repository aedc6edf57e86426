package dev.tamis.cli;

import static java.util.Objects.requireNonNull;

import dev.tamis.kit.digest.CacheDigest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis digest show}: what a cache digest says of itself, and what its bits say. */
@Command(
    name = "show",
    description = "Print what a digest is and how full.",
    footer = {
      "",
      "count is what the cache claims, keys is estimated from the bits. A Squid that has",
      "changed the size of its digest claims too many. fpp is the share of the URLs not in",
      "the digest that it takes for cached; that the cache has changed since adds to it.",
      "Squid drops the digest of a neighbour when it is overfull: over 65 % of ones.",
      "",
      "Example:",
      "  $ seq -f 'http://a.example/%g' 1000 > cached",
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

  @Parameters(paramLabel = "FILE", description = "A file by tamis digest fetch or make.")
  private @Nullable Path file;

  DigestShow(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    CacheDigest digest = CacheDigest.load(requireNonNull(file, "picocli requires it"));
    Facts facts = DigestFacts.full(digest);
    streams.print(json ? facts.json() + "\n" : facts.table());
    return 0;
  }
}
