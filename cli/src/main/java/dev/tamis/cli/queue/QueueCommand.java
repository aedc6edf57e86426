package dev.tamis.cli.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.Streams;
import dev.tamis.crawler.queue.QueueView;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.crawler.queue.VisitQueueBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code tamis queue}: the directory, and what to do with the queue in it. */
@Command(
    name = "queue",
    description = "Keep URLs to visit in a directory: each is delivered once, even after a crash.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "Example:",
      "  $ printf 'http://a/\\nhttp://b/\\nhttp://a/#top\\n' | tamis queue todo push",
      "  pushed=3 accepted=2 duplicates=1 rejected=0 full=0 ...",
      "  $ tamis queue todo poll --count 2",
      "  http://a/",
      "  http://b/",
    })
public final class QueueCommand {

  /** Its messages are printed by the commands, not logged over a progress bar. */
  private static final Logger LIBRARY = Logger.getLogger("dev.tamis.crawler.queue.VisitQueue");

  @Parameters(index = "0", paramLabel = "DIR", description = "The directory of the queue.")
  private Path directory;

  public static CommandLine withCommands(Streams streams) {
    silenceLibrary();
    QueueCommand queue = new QueueCommand();
    return new CommandLine(queue)
        .addSubcommand(new QueuePush(queue, streams))
        .addSubcommand(new QueuePoll(queue, streams))
        .addSubcommand(new QueueStatus(queue, streams))
        .addSubcommand(new QueuePeek(queue, streams));
  }

  static void silenceLibrary() {
    LIBRARY.setUseParentHandlers(false);
  }

  VisitQueueBuilder builder(Streams streams) {
    return builder(streams, "are kept in wal-*.torn-*");
  }

  /** Opens the queue without changing its directory. */
  QueueView view(Streams streams, @Nullable HashedMutableFilter<CharSequence> shared)
      throws IOException {
    VisitQueueBuilder builder = builder(streams, "stay where they are until the next push or poll");
    return (shared == null ? builder : builder.sharedFilter(shared)).view(directory());
  }

  private VisitQueueBuilder builder(Streams streams, String whatHappensToThem) {
    return VisitQueue.builder()
        .whenTorn(
            bytes ->
                streams.message(
                    "tamis queue: %s: the log ended in an incomplete record: a crash"
                        + " interrupted a write, or the file was cut short; its last %s bytes"
                        + " %s",
                    directory(), bytes, whatHappensToThem));
  }

  Path directory() {
    return directory;
  }
}
