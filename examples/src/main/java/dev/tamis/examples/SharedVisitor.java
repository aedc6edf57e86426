package dev.tamis.examples;

import dev.tamis.crawler.queue.QueueStats;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisLink;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** One of the processes of {@link SharedVisited}. */
final class SharedVisitor {

  private static final long EXPECTED_KEYS = 100_000;
  private static final double FPP = 1e-6;

  private SharedVisitor() {}

  /** Takes the file of URLs, the server, and a number that says in which order it pushes them. */
  public static void main(String[] args) throws IOException {
    List<String> urls = new ArrayList<>(Files.readAllLines(Path.of(args[0])));
    Collections.shuffle(urls, new Random(Long.parseLong(args[2])));
    try (RedisLink link = JedisLink.to(URI.create(args[1]), Duration.ofSeconds(10), 1)) {
      RedisBloomFilter<CharSequence> visited =
          RedisBloomFilter.<CharSequence>builder(link, "visited", KeyHasher.text())
              .expectedKeys(EXPECTED_KEYS)
              .fpp(FPP)
              .createOrOpen();
      try (VisitQueue queue =
          VisitQueue.builder().expectedKeys(EXPECTED_KEYS).fpp(FPP).sharedFilter(visited).build()) {
        System.out.println("connected");
        int unused = System.in.read(); // until the other one is, too
        urls.forEach(queue::push);
        for (Optional<String> url = queue.poll(); url.isPresent(); url = queue.poll()) {
          System.out.println(url.get());
        }
        QueueStats stats = queue.stats();
        System.out.println(
            "pushed="
                + stats.pushed()
                + " accepted="
                + stats.accepted()
                + " duplicates="
                + stats.duplicates());
      }
    }
  }
}
