package dev.tamis.cli.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.RedisProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Queues and crawls that keep what they have seen in one filter on a server. */
@EnabledOnOs(OS.LINUX)
@Timeout(600)
class SeenOptionTest {

  private static final int PAGES = 60;

  private static RedisProcess redis;

  @TempDir private Path directory;
  private String seen;

  @BeforeAll
  static void start() {
    redis = new RedisProcess();
  }

  @AfterAll
  static void stop() {
    redis.close();
  }

  @BeforeEach
  void emptyIt() {
    assertThat(redis.send("FLUSHALL")).isEqualTo("+OK");
    seen = redis.url("visited");
  }

  private Result push(String queue, String lines, Object... options) {
    List<Object> arguments = new ArrayList<>(List.of("queue", directory.resolve(queue), "push"));
    arguments.addAll(List.of(options));
    return Cli.runOn(lines, arguments.toArray());
  }

  private Result poll(String queue) {
    return Cli.run("queue", directory.resolve(queue), "poll", "--count", 100, "--seen", seen);
  }

  @Test
  void oneOfSeveralQueuesDeliversAUrl() {
    Result first = push("a", "http://a/\nhttp://b/\n", "-n", 1000, "--seen", seen);
    assertThat(first.summary()).containsEntry("accepted", "2");
    Result second = push("b", "http://b/\nhttp://B:80/#top\nhttp://c/\n", "--seen", seen);
    assertThat(second.summary()).containsEntry("accepted", "1").containsEntry("duplicates", "2");
    assertThat(Cli.run("queue", directory.resolve("b"), "peek", "--seen", seen).out())
        .isEqualTo("http://c/\n");
    assertThat(Cli.run("queue", directory.resolve("b"), "stats", "--seen", seen).out())
        .containsPattern("seen keys +3\n");
    assertThat(poll("a").out()).isEqualTo("http://a/\nhttp://b/\n");
    assertThat(poll("b").out()).isEqualTo("http://c/\n");
    // the keys are those of lines too
    assertThat(Cli.runOn("http://c/\nhttp://d/\n", "check", seen).out()).isEqualTo("http://c/\n");
  }

  @Test
  void aSharedQueueNeedsItsFilterAndNothingElse() {
    assertRefused(push("a", "http://a/\n", "--seen", seen), "(-n)");
    assertRefused(push("a", "http://a/\n", "--seen", "visited"), "redis://");
    assertRefused(push("a", "x\n", "-n", 10, "--exact", "--seen", seen), "--exact");
    assertRefused(push("a", "x\n", "-n", 10, "--on-full", "grow", "--seen", seen), "--on-full");
    push("a", "http://a/\n", "-n", 1000, "--seen", seen);
    assertRefused(push("a", "http://b/\n"), "the filter that it shares");
    push("own", "http://a/\n", "-n", 1000);
    assertRefused(push("own", "http://b/\n", "-n", 1000, "--seen", seen), "--seen");
    redis.send("FLUSHALL");
    assertRefused(push("a", "http://c/\n", "--seen", seen), "never created");
  }

  private static void assertRefused(Result result, String why) {
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains(why);
    assertThat(result.out()).isEmpty();
  }

  /** Serves pages in a circle, each with links to the next three; notes what is requested. */
  private static HttpServer site(ExecutorService threads, ConcurrentLinkedQueue<String> requested)
      throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          boolean there = path.matches("/[0-9]+");
          int page = there ? Integer.parseInt(path.substring(1)) : 0;
          byte[] body =
              IntStream.rangeClosed(1, 3)
                  .mapToObj(i -> "<a href=/" + (page + i) % PAGES + ">x</a>")
                  .collect(Collectors.joining())
                  .getBytes(UTF_8);
          if (there) {
            requested.add(path);
          }
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(there ? 200 : 404, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void severalCrawlsVisitEachPageOnceInAll() throws Exception {
    var requested = new ConcurrentLinkedQueue<String>();
    ExecutorService threads = Executors.newCachedThreadPool();
    HttpServer site = site(threads, requested);
    try {
      String root = "http://127.0.0.1:" + site.getAddress().getPort() + "/";
      List<Future<Result>> crawls = new ArrayList<>();
      Cli.runOn(
          "", "queue", directory.resolve("any"), "push", "-n", 1000, "-p", 1e-9, "--seen", seen);
      for (int i = 0; i < 3; i++) {
        Object[] arguments = {
          "crawl",
          "--queue",
          directory.resolve("queue" + i),
          "--delay",
          "0",
          "--seen",
          seen,
          "-o",
          directory.resolve("pages" + i),
          root + i * PAGES / 3
        };
        crawls.add(threads.submit(() -> Cli.run(arguments)));
      }
      int pages = 0;
      for (Future<Result> crawl : crawls) {
        pages += Integer.parseInt(crawl.get().summary().get("pages"));
      }
      assertThat(pages).isEqualTo(PAGES);
      assertThat(requested).doesNotHaveDuplicates().hasSize(PAGES);
    } finally {
      site.stop(0);
      threads.shutdownNow();
    }
  }

  @Test
  void aCrawlWhoseServerHasGoneEndsWithAnErrorThatNamesIt() throws Exception {
    ExecutorService threads = Executors.newCachedThreadPool();
    var requested = new ConcurrentLinkedQueue<String>();
    HttpServer site = site(threads, requested);
    try (RedisProcess other = new RedisProcess()) {
      String root = "http://127.0.0.1:" + site.getAddress().getPort() + "/0";
      Object[] arguments = {
        "crawl",
        "--queue",
        directory.resolve("queue"),
        "--delay",
        "50ms",
        "-n",
        1000,
        "--seen",
        other.url("visited"),
        "-o",
        directory.resolve("pages"),
        root
      };
      Future<Result> crawl = threads.submit(() -> Cli.run(arguments));
      while (requested.size() < 3) {
        Thread.sleep(5);
      }
      other.send("FLUSHALL");
      Result result = crawl.get().refused();
      assertThat(result.err()).startsWith("tamis crawl: " + other.url("visited") + ": ");
    } finally {
      site.stop(0);
      threads.shutdownNow();
    }
  }
}
