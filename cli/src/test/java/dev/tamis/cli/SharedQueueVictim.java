package dev.tamis.cli;

import dev.tamis.crawler.queue.UrlKey;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisLink;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;

/** A process that pushes URLs into its queue, by a filter that others share, until it is killed. */
final class SharedQueueVictim {

  static final int URLS = 3_000;

  private SharedQueueVictim() {}

  static RedisLink link(int port) {
    return JedisLink.to(URI.create("redis://127.0.0.1:" + port), Duration.ofSeconds(10), 4);
  }

  static RedisBloomFilter<CharSequence> filter(RedisLink link) {
    return RedisBloomFilter.<CharSequence>builder(link, "visited", KeyHasher.text())
        .expectedKeys(URLS)
        .fpp(1e-9)
        .createOrOpen();
  }

  static VisitQueue open(Path directory, RedisLink link) throws IOException {
    return VisitQueue.builder()
        .expectedKeys(URLS)
        .fpp(1e-9)
        .key(UrlKey.NONE)
        .sharedFilter(filter(link))
        .open(directory);
  }

  static String url(int number) {
    return "http://h/" + number;
  }

  /** Takes the server's port, the directory and a seed. */
  public static void main(String[] args) throws IOException {
    SplittableRandom random = new SplittableRandom(Long.parseLong(args[2]));
    try (RedisLink link = link(Integer.parseInt(args[0]));
        VisitQueue queue = open(Path.of(args[1]), link)) {
      while (true) {
        System.out.println(queue.push(url(random.nextInt(URLS))).status());
      }
    }
  }
}
