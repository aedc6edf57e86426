package dev.tamis.cli.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.Streams;
import dev.tamis.crawler.queue.QueueView;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code tamis queue DIR peek}: the URL that comes next. */
@Command(
    name = "peek",
    customSynopsis = "tamis queue DIR peek [OPTION]...",
    description = "Print the next URL without removing it.",
    footer = {
      "Exit status: 0 if there is one, 1 if the queue is empty, 2 on any error.",
      "",
      "Example:",
      "  $ echo http://a/ | tamis queue todo push -q",
      "  $ tamis queue todo peek",
      "  http://a/",
    })
final class QueuePeek implements Callable<Integer> {

  private final QueueCommand queue;
  private final Streams streams;

  @Mixin private final SeenOption seen;

  QueuePeek(QueueCommand queue, Streams streams) {
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
      Optional<String> next = opened.peek();
      if (next.isEmpty()) {
        return ExitStatus.NOTHING_FOUND;
      }
      streams.write(next.get() + "\n");
      return 0;
    }
  }
}
