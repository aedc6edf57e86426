package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tamis.JvmCommand;
import dev.tamis.crawler.queue.VisitQueue;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs each example program on the files that come with it. */
class ProgramsTest {

  private static final Path LINKS = Path.of("links.txt");

  @TempDir private Path directory;

  /** Returns the output of a program. */
  private static String printed(ThrowingConsumer<PrintStream> program) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    program.accept(new PrintStream(bytes, true, UTF_8));
    return bytes.toString(UTF_8);
  }

  /** A program that is started without its arguments prints what they are. */
  @ParameterizedTest
  @ValueSource(
      classes = {
        CrawlSite.class,
        DropRepeats.class,
        GuardedLookups.class,
        SpamFilter.class,
        ToVisit.class
      })
  void withoutArgumentsTheUsageIsPrinted(Class<?> program) throws Exception {
    Process process =
        new ProcessBuilder(JvmCommand.of(List.of(), program)).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String usage = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(usage).startsWith("usage: java " + program.getName() + " ").hasLineCount(1);
  }

  @Test
  void dropRepeatsPrintsEachLinkOnceAndTheSummary() {
    assertThat(printed(out -> DropRepeats.run(LINKS, out)).lines())
        .hasSize(2695 + 1) // as by sort -u, and the summary
        .last()
        .asString()
        .contains("seen=9026, unique=2695");
  }

  @Test
  void guardedLookupsNeedsNoRebuildTheSecondTimeAndReadsOnlyPresentKeys() throws Exception {
    List<String> links = Files.readAllLines(LINKS).stream().distinct().toList();
    Path some = Files.write(directory.resolve("some.txt"), links.subList(0, 300));

    // each link not found and put, then found; the same link with "?print" not found
    assertThat(printed(out -> GuardedLookups.run(some, directory, out)))
        .startsWith("rebuilt from 0 rows")
        .containsPattern("skipped=(59\\d|600), found=300");
    assertThat(printed(out -> GuardedLookups.run(some, directory, out)))
        .doesNotContain("rebuilt")
        .containsPattern("skipped=(29\\d|300), found=600");
  }

  @Test
  void toVisitContinuesWhereTheLastRunEnded() {
    List<String> first = printed(out -> ToVisit.run(LINKS, directory, out)).lines().toList();
    assertThat(first)
        .hasSize(4)
        .startsWith(
            "visit https://www.python.org/",
            "visit https://docs.python.org/3.11/contents.html",
            "visit https://docs.python.org/3.11/tutorial/appendix.html")
        .last()
        .asString()
        .contains("pushed=9026", "delivered=3");
    assertThat(printed(out -> ToVisit.run(LINKS, directory, out)).lines())
        .hasSize(4)
        .doesNotContainAnyElementsOf(first)
        .last()
        .asString()
        .contains("pushed=18052", "delivered=6");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "the bundled Redis server is used on Linux only")
  void twoProcessesOfSharedVisitedTakeEachUrlOnceInTotal() throws Exception {
    List<String> lines =
        printed(out -> SharedVisited.runWithOwnServer(LINKS, out)).lines().toList();
    VisitQueue alone = VisitQueue.builder().expectedKeys(100_000).fpp(1e-6).build();
    Files.readAllLines(LINKS).forEach(alone::push);
    assertThat(lines)
        .hasSize(4)
        .endsWith("different URLs accepted: " + alone.stats().accepted(), "accepted by both: 0");
    assertThat(lines.get(0)).startsWith("process 1: pushed=9026 accepted=");
    assertThat(lines.get(1)).startsWith("process 2: pushed=9026 accepted=");
  }

  @Test
  void crawlSiteListsThePagesBelowAUrlAndNothingTheSecondTime() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/docs/",
        exchange -> {
          byte[] page = "<a href=a#top>x</a><a href=b>y</a><a href=/up>z</a>".getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/docs/";
      ThrowingConsumer<PrintStream> crawl =
          out -> CrawlSite.run(url, directory, Duration.ZERO, out);
      assertThat(printed(crawl).lines())
          .containsExactly(
              "page " + url, "page " + url + "a", "page " + url + "b", "3 pages, 0 still in line");
      assertThat(printed(crawl)).isEqualToIgnoringNewLines("3 pages, 0 still in line");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void spamFilterBlocksWhatIsListedAndNoKnownGood() {
    Path saved = directory.resolve("spam.block");
    assertThat(
            printed(
                out -> {
                  SpamFilter.build(Path.of("blocklist.txt"), Path.of("known-good.txt"), saved, out);
                  SpamFilter.judge(saved, Path.of("senders.txt"), out);
                }))
        .isEqualTo(
            """
            known-good.txt:7: 'shop@tenminutes.example' is known good, but listed as \
            'tenminutes.example' in spam; it will be allowed
            Blocklist(lists=[spam], entries=23, allow=1, exceptions=0, fpp=1.0E-6, exact=true, \
            hash=xxh3 with seed 0)
            ann@customer.example UNLISTED
            winner@lottery.example BLOCKED
              LISTED winner@lottery.example
            winner+again@lottery.example BLOCKED
              LISTED winner@lottery.example
            someone@throwaway.example BLOCKED
              LISTED throwaway.example
            info@www.cheap-pills.example BLOCKED
              LISTED .cheap-pills.example
            support@freehosting.example UNLISTED
            me@myblog.freehosting.example BLOCKED
              LISTED *.freehosting.example
            spieler@GLÜCKSSPIEL.example BLOCKED
              LISTED xn--glcksspiel-beb.example
            shop@tenminutes.example ALLOWED
              KNOWN_GOOD shop@tenminutes.example
              LISTED tenminutes.example
            other@tenminutes.example BLOCKED
              LISTED tenminutes.example
            carol@fine.example UNLISTED
            """);
  }
}
