package dev.tamis.cli.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.crawler.queue.Lease;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.crawler.queue.VisitQueueBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tamis queue DIR poll}: the next URLs. */
@Command(
    name = "poll",
    customSynopsis = "tamis queue DIR poll [OPTION]...",
    description = "Print the next URLs, one per line, and remove them.",
    footer = {
      "Each URL is written, then removed. What a closed pipe did not take is delivered",
      "again; so is the last one written, if the process is killed in between.",
      "Exit status: 0 if one was printed, 1 if none was due, 2 on any error.",
      "",
      "Example:",
      "  $ echo http://a/ | tamis queue todo push -q",
      "  $ tamis queue todo poll",
      "  http://a/",
    })
final class QueuePoll implements Callable<Integer> {

  /** As long as a reader of the output may take. */
  private static final Duration LEASE = Duration.ofDays(365);

  private final QueueCommand queue;
  private final Streams streams;

  @Mixin private final SeenOption seen;

  @Option(names = "--count", paramLabel = "N", description = "Maximum number of URLs (default: 1).")
  private long count = 1;

  QueuePoll(QueueCommand queue, Streams streams) {
    this.queue = queue;
    this.streams = streams;
    this.seen = new SeenOption(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    return seen.open(this::poll);
  }

  private int poll(@Nullable HashedMutableFilter<CharSequence> shared) throws IOException {
    long printed = 0;
    VisitQueueBuilder builder = queue.builder(streams).leaseTimeout(LEASE);
    if (shared != null) {
      builder.sharedFilter(shared);
    }
    try (VisitQueue opened = builder.openExisting(queue.directory())) {
      OutputStream out = new StandardOutput(streams.out());
      Optional<Lease> lease = opened.lease();
      while (lease.isPresent()) {
        out.write((lease.get().url() + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush(); // one by one, so that a kill repeats one at most
        settle(lease.get());
        printed++;
        lease = printed < count ? opened.lease() : Optional.empty();
      }
    }
    return printed > 0 ? 0 : ExitStatus.NOTHING_FOUND;
  }

  private static void settle(Lease lease) {
    if (!lease.ack()) {
      throw new CommandException(
          "%s: lease expired while it was written; do not use it, it will be delivered again",
          lease.url());
    }
  }
}
