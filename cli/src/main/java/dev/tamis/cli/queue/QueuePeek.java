package dev.tamis.cli.queue;

import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.Streams;
import dev.tamis.crawler.queue.QueueView;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code tamis queue DIR peek}: the URL that comes next. */
@Command(
    name = "peek",
    customSynopsis = "tamis queue DIR peek [OPTION]...",
    description = "Print the next URL without removing it.",
    footer = {
      "",
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

  QueuePeek(QueueCommand queue, Streams streams) {
    this.queue = queue;
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    try (QueueView opened = queue.view(streams)) {
      Optional<String> next = opened.peek();
      if (next.isEmpty()) {
        return ExitStatus.NOTHING_FOUND;
      }
      streams.write(next.get() + "\n");
      return 0;
    }
  }
}
