package dev.tamis.cli.digest;

import dev.tamis.cli.console.FileOwner;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.NumberParser;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.tools.digest.DigestFetcher;
import dev.tamis.tools.digest.DigestFetcherBuilder;
import dev.tamis.tools.digest.FetchedDigest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis digest fetch}: the digest of a running cache. */
@Command(
    name = "fetch",
    description = "Download the digest of a running Squid.",
    footer = {
      "URL is that of a digest, or that of the proxy, to which",
      "/squid-internal-periodic/store_digest is appended. A Squid that has just",
      "started answers 404 until its digest is built; the request is retried, as for",
      "servers that are busy. A Squid without cache_dir never builds one. FILE is",
      "replaced only by a complete and valid digest.",
      "",
      "Example:",
      "  $ tamis digest fetch -o proxy.digest http://localhost:3128",
      "  capacity=740 count=751 bits-per-entry=5 set-bits=... filled=... fpp=... attempts=1 ...",
    })
final class DigestFetch implements Callable<Integer> {

  private final Streams streams;

  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The file to write; replaced atomically on success.")
  private Path output;

  @Option(names = "--attempts", paramLabel = "N", description = "Number of attempts (default: 10).")
  private long attempts = DigestFetcherBuilder.DEFAULT_ATTEMPTS;

  @Option(
      names = "--delay",
      paramLabel = "TIME",
      description = "Delay between attempts, such as 500ms or 2m (default: 3s).")
  private Duration delay = DigestFetcherBuilder.DEFAULT_DELAY;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "Timeout of a request, such as 500ms or 2m (default: 30s).")
  private Duration timeout = DigestFetcherBuilder.DEFAULT_TIMEOUT;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      converter = NumberParser.SizeConverter.class,
      description = "Maximum size of a digest (default: 64MiB).")
  private long maxSize = DigestFetcherBuilder.DEFAULT_MAX_BYTES;

  @Parameters(paramLabel = "URL", description = "Such as http://proxy.example:3128")
  private String url;

  DigestFetch(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    long start = System.nanoTime();
    DigestFetcher fetcher =
        DigestFetcher.builder()
            .attempts((int) Math.min(attempts, Integer.MAX_VALUE))
            .delay(delay)
            .timeout(timeout)
            .maxBytes(Math.min(maxSize, DigestFetcherBuilder.LARGEST_MAX_BYTES))
            .build();
    FetchedDigest fetched = fetcher.fetch(url);
    Path file = output;
    FileOwner.watch(file, streams.err(), () -> fetched.digest().save(file));
    if (!fetched.contentType().equals(FetchedDigest.CONTENT_TYPE)) {
      streams.message(
          "tamis digest fetch: warning: Content-Type is '%s', not '%s'; this may not be a"
              + " Squid",
          fetched.contentType(), FetchedDigest.CONTENT_TYPE);
    }
    DigestCommand.warning("fetch", fetched.digest()).ifPresent(line -> streams.err().line(line));
    report.print(
        DigestCommand.brief(fetched.digest())
            .count("attempts", fetched.attempts())
            .secondsSince(start),
        streams.err());
    return 0;
  }
}
