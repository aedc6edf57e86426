package dev.tamis.crawler.queue;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.SplittableRandom;

/**
 * A program that works with a queue until it is killed, and says what it is about to do, then what
 * came of it.
 */
final class QueueVictim {

  private QueueVictim() {}

  static VisitQueueBuilder settings(boolean byHost) {
    VisitQueueBuilder builder =
        VisitQueue.builder()
            .expectedKeys(100_000)
            .fpp(0.01)
            .exactConfirmation()
            .key(UrlKey.NONE)
            .checkpointBytes(20_000);
    return byHost ? builder.perHostDelay(java.time.Duration.ZERO) : builder;
  }

  /** Takes the directory, a seed, whether hosts are told apart, and the number of the first URL. */
  public static void main(String[] args) throws IOException {
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[1]));
    long next = Long.parseLong(args[3]);
    try (FileOutputStream out = new FileOutputStream(FileDescriptor.out)) {
      VisitQueue queue = settings(Boolean.parseBoolean(args[2])).open(Path.of(args[0]));
      say(out, "open");
      ArrayDeque<Lease> leases = new ArrayDeque<>();
      while (true) {
        int dice = random.nextInt(10);
        if (dice < 6) {
          String url = "http://h" + random.nextInt(5) + "/" + next++;
          say(out, "push " + url);
          if (queue.push(url).isAccepted()) {
            say(out, "pushed " + url);
          }
        } else if (dice < 7) {
          say(out, "poll");
          say(out, "polled " + queue.poll().orElse("nothing"));
        } else if (dice < 9) {
          queue.lease().ifPresent(leases::add);
        } else if (!leases.isEmpty()) {
          Lease lease = leases.remove();
          if (random.nextInt(4) == 0) {
            lease.retry();
          } else {
            say(out, "ack " + lease.url());
            lease.ack();
            say(out, "acked " + lease.url());
          }
        }
      }
    }
  }

  private static void say(FileOutputStream out, String line) throws IOException {
    out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
