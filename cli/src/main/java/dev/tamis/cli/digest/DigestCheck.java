package dev.tamis.cli.digest;

import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.LineMatcher;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.tools.digest.CacheDigest;
import dev.tamis.tools.digest.CachedMethod;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis digest check}: the URLs that may be in a cache, or those that are not. */
@Command(
    name = "check",
    description = "Print the URLs, one per line, that may be in a digest.",
    footer = {
      "Exit status: 0 if a line was printed or counted, 1 if none was, 2 on any error.",
      "Blank lines are ignored. A URL in the digest may be missing from the cache:",
      "a false positive, with the fpp that tamis digest show prints, or evicted since.",
      "",
      "Example:",
      "  $ echo http://a.example/ | tamis digest make -q -n 100 -o a.digest",
      "  $ printf 'http://a.example/\\nhttp://b.example/\\n' > urls",
      "  $ tamis digest check a.digest urls",
      "  http://a.example/",
    })
final class DigestCheck implements Callable<Integer> {

  private final Streams streams;

  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private DecompressOption decompression = new DecompressOption();

  @Option(
      names = {"-v", "--invert"},
      description = "Print the URLs that are certainly not in it.")
  private boolean invert;

  @Option(
      names = {"-c", "--count"},
      description = "Print the number of URLs instead of the URLs.")
  private boolean countOnly;

  @Parameters(
      index = "0",
      paramLabel = "DIGEST",
      description = "A file written by tamis digest fetch or make.")
  private Path file;

  @Parameters(
      index = "1..*",
      paramLabel = "FILE",
      arity = "0..*",
      description = "Standard input for - or none.")
  private List<Path> files = List.of();

  DigestCheck(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    CacheDigest digest = CacheDigest.load(file);
    Inputs inputs = Inputs.of(files, delimiter.value(), decompression, streams);
    LineMatcher matcher = LineMatcher.each(line -> isWanted(digest, line.bytes()));
    return inputs.print(line -> 0, matcher, true, countOnly, LineReader.MAX_LINES);
  }

  private boolean isWanted(CacheDigest digest, ByteBuffer url) {
    return url.hasRemaining() && digest.mightContain(CachedMethod.GET, url) != invert;
  }
}
