package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.crawler.queue.QueueStats;
import dev.tamis.crawler.queue.VisitQueue;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.JedisLink;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisLink;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import redis.embedded.RedisServer;

/** Lets two processes push the same URLs at once, with one visited set in Redis between them. */
public final class SharedVisited {

  private static final int PROCESSES = 2;

  private SharedVisited() {}

  /**
   * Takes the file of URLs, then the server, such as redis://localhost:6379. Without a server it
   * starts one of its own, which ends with it.
   */
  public static void main(String[] args) throws IOException {
    if (args.length > 1) {
      run(Path.of(args[0]), URI.create(args[1]), System.out);
    } else {
      runWithOwnServer(Path.of(args[0]), System.out);
    }
  }

  static void runWithOwnServer(Path file, PrintStream out) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    RedisServer server =
        RedisServer.newRedisServer().port(port).bind("127.0.0.1").setting("save \"\"").build();
    server.start();
    try {
      run(file, URI.create("redis://127.0.0.1:" + port), out);
    } finally {
      server.stop();
    }
  }

  private static void run(Path file, URI server, PrintStream out) throws IOException {
    List<Process> processes = new ArrayList<>();
    List<BufferedReader> said = new ArrayList<>();
    for (int i = 0; i < PROCESSES; i++) {
      Process process = start(file, server, i);
      processes.add(process);
      said.add(process.inputReader(UTF_8));
    }
    for (BufferedReader reader : said) {
      String unused = reader.readLine(); // it is connected
    }
    for (Process process : processes) {
      process.getOutputStream().close(); // now all at once
    }
    Set<String> all = new HashSet<>();
    int twice = 0;
    for (int i = 0; i < PROCESSES; i++) {
      List<String> lines = said.get(i).lines().toList();
      if (lines.isEmpty()) {
        throw new IOException("process " + (i + 1) + " has failed, as it says above");
      }
      for (String url : lines.subList(0, lines.size() - 1)) {
        twice += all.add(url) ? 0 : 1;
      }
      out.println("process " + (i + 1) + ": " + lines.get(lines.size() - 1));
    }
    out.println("different URLs accepted: " + all.size());
    out.println("accepted by both: " + twice);
  }

  private static Process start(Path file, URI server, int number) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Visitor.class.getName(),
            file.toString(),
            server.toString(),
            Integer.toString(number))
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  /** One of the processes of {@link SharedVisited}. */
  static final class Visitor {

    private static final long EXPECTED_KEYS = 100_000;
    private static final double FPP = 1e-6;

    private Visitor() {}

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
            VisitQueue.builder()
                .expectedKeys(EXPECTED_KEYS)
                .fpp(FPP)
                .sharedFilter(visited)
                .build()) {
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
}
