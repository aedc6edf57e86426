package dev.tamis.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Cli.Result;
import dev.tamis.cli.RedisProcess;
import dev.tamis.cli.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Queues and crawls that keep what they have seen in one filter on a server. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "the bundled Redis server is used on Linux only")
@Timeout(600)
class SeenOptionTest {

  private static final int PAGES = 60;

  @RegisterExtension private static final RedisProcess redis = new RedisProcess();

  @TempDir private Path directory;
  private final String filter = redis.url("visited");
  private Path key;
  private Object[] seen;

  @BeforeEach
  void makeAKey() throws IOException {
    key = Files.writeString(directory.resolve("key"), "0".repeat(32));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    seen = new Object[] {"--seen", filter, "--key-file", key};
  }

  private Result push(String queue, String lines, Object... options) {
    return Cli.runOn(lines, "queue", directory.resolve(queue), "push", options);
  }

  private Result poll(String queue) {
    return Cli.run("queue", directory.resolve(queue), "poll", "--count", 100, seen);
  }

  @Test
  void oneOfSeveralQueuesDeliversAUrl() {
    push("a", "http://a/\nhttp://b/\n", "-n", 1000, seen).sums("accepted=2");
    push("b", "http://b/\nhttp://B:80/#top\nhttp://c/\n", seen).sums("accepted=1 duplicates=2");
    Cli.run("queue", directory.resolve("b"), "peek", seen).prints("http://c/\n");
    assertThat(Cli.run("queue", directory.resolve("b"), "stats", seen).out())
        .containsPattern("seen keys +3\n");
    assertThat(poll("a").out()).isEqualTo("http://a/\nhttp://b/\n");
    assertThat(poll("b").out()).isEqualTo("http://c/\n");
    // the keys are those of lines too
    Cli.runOn("http://c/\nhttp://d/\n", "check --key-file", key, filter).prints("http://c/\n");
  }

  @Test
  void aSharedQueueNeedsItsFilterAndNothingElse() {
    push("a", "http://a/\n", seen).refused("...(-n)...");
    push("a", "http://a/\n", "--seen", "visited").refused("...redis://...");
    push("a", "x\n", "-n", 10, "--exact", seen)
        .refused("...--exact, which would look up URLs that other queues have seen among...");
    push("a", "x\n", "-n", 10, "--on-full", "grow", seen)
        .refused("...--on-full grow: a filter on a server does not grow; ...");
    push("a", "http://a/\n", "-n", 1000, seen);
    push("a", "http://b/\n").refused("...the filter that it shares...");
    push("own", "http://a/\n", "-n", 1000);
    push("own", "http://b/\n", "-n", 1000, seen).refused("...--seen...");
    redis.send("FLUSHALL");
    push("a", "http://c/\n", seen).refused("...never created...");
  }

  /** Without a key anyone can compute URLs that hide others, as a page may have as links. */
  @Test
  void aFilterHasTheKeyThatIsNamedAndOneWithoutIsReported() {
    push("keyed", "http://a/\n", "-n", 1000, seen).ok();
    assertThat(Cli.run("info --key-file", key, filter).out()).contains("siphash");
    push("keyed", "http://a/\n", "--seen", filter).refused("...--key-file...");
    redis.send("FLUSHALL");
    String hides =
        ": the filter has no secret key: anyone who gets URLs into it can hide others; create it"
            + " with --key-file\n";
    push("public", "http://a/\n", "-n", 1000, "--seen", filter)
        .says("tamis queue push: " + filter + hides + "pushed=1 ...");
    Cli.run("crawl http://127.0.0.1:1/ --seen", filter, "--queue", directory.resolve("todo"))
        .says("tamis crawl: " + filter + hides + "...");
    push("public", "http://a/\n", seen).refused("...--key-file...");
  }

  /** Serves pages in a circle, each with links to the next three; notes what is requested. */
  private static Site site(Collection<String> requested) throws IOException {
    return new Site(
        path -> {
          boolean there = path.matches("/[0-9]+");
          int page = there ? Integer.parseInt(path.substring(1)) : 0;
          if (there) {
            requested.add(path);
          }
          return Site.Answer.html(
              there ? 200 : 404,
              IntStream.rangeClosed(1, 3)
                  .mapToObj(i -> "<a href=/" + (page + i) % PAGES + ">x</a>")
                  .collect(Collectors.joining()));
        });
  }

  private CompletableFuture<Result> crawl(int number, String url, Object... options) {
    Object[] files = {
      "--queue", directory.resolve("queue" + number), "-o", directory.resolve("pages" + number)
    };
    return CompletableFuture.supplyAsync(() -> Cli.run("crawl", url, files, options));
  }

  @Test
  void severalCrawlsVisitEachPageOnceInAll() throws Exception {
    var requested = new ConcurrentLinkedQueue<String>();
    try (Site site = site(requested)) {
      push("any", "", "-n", 1000, "-p", 1e-9, seen);
      List<CompletableFuture<Result>> crawls =
          IntStream.range(0, 3)
              .mapToObj(i -> crawl(i, site.url("/" + i * PAGES / 3), "--delay", 0, seen))
              .toList();
      int pages = 0;
      for (CompletableFuture<Result> crawl : crawls) {
        pages += Integer.parseInt(crawl.get().summary().get("pages"));
      }
      assertThat(pages).isEqualTo(PAGES);
      assertThat(requested).doesNotHaveDuplicates().hasSize(PAGES);
    }
  }

  @Test
  void aCrawlWhoseServerHasGoneEndsWithAnErrorThatNamesIt() throws Exception {
    var requested = new ConcurrentLinkedQueue<String>();
    try (RedisProcess other = new RedisProcess();
        Site site = site(requested)) {
      var crawl = crawl(0, site.url("/0"), "--delay 50ms -n 1000 --seen", other.url("visited"));
      while (requested.size() < 3) {
        Thread.sleep(5);
      }
      other.send("FLUSHALL");
      String err = crawl.get().refused().err();
      assertThat(err).startsWith("tamis crawl: " + other.url("visited") + ": ");
    }
  }
}
