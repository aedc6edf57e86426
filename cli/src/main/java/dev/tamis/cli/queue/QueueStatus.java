package dev.tamis.cli.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.Report;
import dev.tamis.crawler.queue.QueueStats;
import dev.tamis.crawler.queue.QueueView;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code tamis queue DIR stats}: the counters of a queue. */
@Command(
    name = "stats",
    customSynopsis = "tamis queue DIR stats [OPTION]...",
    description = "Print the counters of the queue since it was created.",
    footer = {
      "pushed = accepted + duplicates + rejected + full;",
      "accepted = delivered + pending.",
      "",
      "Example:",
      "  $ printf 'http://a/\\nhttp://b/\\nhttp://a/#top\\n' | tamis queue todo push -q",
      "  $ tamis queue todo stats",
      "  pushed                3",
      "  accepted              2",
      "  ...",
    })
final class QueueStatus implements Callable<Integer> {

  private final QueueCommand queue;
  private final Streams streams;

  @Mixin private final SeenOption seen;

  @Option(names = "--json", description = "Print JSON, with exact numbers.")
  private boolean json;

  QueueStatus(QueueCommand queue, Streams streams) {
    this.queue = queue;
    this.streams = streams;
    this.seen = new SeenOption(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    return seen.open(this::print);
  }

  private int print(@Nullable HashedMutableFilter<CharSequence> shared) throws IOException {
    try (QueueView opened = queue.view(streams, shared)) {
      QueueStats stats = opened.stats();
      Report facts =
          new Report()
              .count("pushed", stats.pushed())
              .count("accepted", stats.accepted())
              .count("duplicates", stats.duplicates())
              .count("rejected", stats.rejected())
              .count("full", stats.full())
              .count("delivered", stats.delivered())
              .count("pending", stats.pending())
              .count("hosts", stats.hosts())
              .count("seen-keys", stats.seenKeys())
              .number("fill", stats.fill())
              .number("fpp", stats.expectedFpp())
              .known("expected-wrong-drops", stats.expectedWrongDrops())
              .count("rescued", stats.rescued())
              .count("torn-bytes", stats.tornBytes());
      streams.print(json ? facts.json() + "\n" : facts.table());
      return 0;
    }
  }
}
