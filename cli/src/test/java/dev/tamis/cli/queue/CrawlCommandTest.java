package dev.tamis.cli.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Main;
import dev.tamis.cli.Site;
import dev.tamis.cli.report.NumberParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(600)
class CrawlCommandTest {

  private static final int PAGES = 50;

  @TempDir Path directory;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private Site site;
  private Path queue;
  private Path list;

  @BeforeEach
  void serve() throws IOException {
    queue = directory.resolve("queue");
    list = directory.resolve("pages.tsv");
    site = new Site(this::answer);
  }

  /** Pages in a circle, each with a link to one that is gone; others with thousands of links. */
  private Site.Answer answer(String uri) {
    asked.add(uri);
    if (uri.equals("/wide")) {
      return Site.Answer.html(200, links(3_000, i -> "/x/" + i));
    } else if (uri.startsWith("/%7ejoe/?id=")) { // with an escape that it would not need
      int id = Integer.parseInt(uri.substring(uri.indexOf('=') + 1));
      return Site.Answer.html(
          id <= 10 ? 200 : 404, links(2, i -> (i > 0 ? "/~" : "/%7e") + "joe/?id=" + (id + 1 - i)));
    }
    boolean there = uri.matches("/[0-9]+");
    int next = there ? (Integer.parseInt(uri.substring(1)) + 1) % PAGES : 0;
    return Site.Answer.html(there ? 200 : 404, links(2, i -> i > 0 ? "/gone" : "/" + next));
  }

  private static String links(int count, IntFunction<String> target) {
    return IntStream.range(0, count)
        .mapToObj(i -> "<a href='" + target.apply(i) + "'>x</a>")
        .collect(Collectors.joining());
  }

  @AfterEach
  void stop() {
    site.close();
  }

  @Test
  void urlsAreRequestedAsTheyWereFound() {
    String options = "--exact --key strict -n 1000 -p 1e-6 --on-full grow";
    Cli.Result result = crawl("/%7ejoe/?id=0", options).ok();
    assertThat(asked)
        .filteredOn(uri -> uri.contains("joe"))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(0, 11).mapToObj(id -> "/%7ejoe/?id=" + id).toList());
    assertThat(result.summary()).containsEntry("page", "11").containsEntry("client-error", "1");
  }

  @Test
  void aFullQueueIsReported() {
    crawl("/0", "-o", list, "-n", "10", "--on-full", "reject")
        .refused()
        .says(
            "...tamis crawl: the queue is full; links to new URLs not queued: 1..."
                + "\npages=10 page=9 ... full=1 ...");
  }

  @Test
  void anOverfullQueueIsAnErrorUnlessAllowed() {
    String options = "--max-pages 1 -n 10 -p 0.01 --on-full warn -o";
    crawl("/wide", options, list)
        .refused()
        .says(
            "...tamis crawl: the queue is overfull: its fpp is more than 10 times the requested..."
                + " overfull=true...");
    queue = directory.resolve("other");
    Path others = directory.resolve("others");
    assertThat(crawl("/wide", options, others, "--allow-overfull").ok().err())
        .doesNotContain("is overfull")
        .contains(" overfull=true");
  }

  @Test
  void theQueueOfAnotherCrawlIsNamedByItsOption() {
    crawl("/0", "-o", list, "-n", "100", "--max-pages", 1).ok();
    crawl("/0", "-o", list, "-n", "200", "--resume")
        .refused("...the queue was created with -n 100, got 200; leave -n out...");
  }

  @Test
  void everyPageIsListedAndTheSummaryAddsUp() throws IOException {
    Cli.Result result = crawl("/0", "-o", list).ok();
    assertThat(result.out()).isEmpty();
    assertThat(Files.readAllLines(list))
        .hasSize(1 + PAGES + 1)
        .startsWith(
            "url\toutcome\tstatus\tcontent_type\tbytes\tlinks\tlinks_over_limit\tdepth\tmillis"
                + "\treferrer\tdetail")
        .anyMatch(line -> line.startsWith(site.url("/gone") + "\tclient-error\t404\ttext/html\t"));
    Map<String, String> summary = result.summary();
    assertThat(summary)
        .containsEntry("pages", "51")
        .containsEntry("page", "50")
        .containsEntry("client-error", "1")
        .containsEntry("links", "101")
        .containsEntry("new", "51")
        .containsEntry("known", "50")
        .containsEntry("requests", "52")
        .containsEntry("pending", "0");
  }

  @Test
  void withoutAFileTheListIsTheOutput() {
    Cli.Result result = crawl("/0", "--json");
    assertThat(result.out().lines()).hasSize(1 + PAGES + 1);
    assertThat(result.err()).startsWith("{\"pages\":51,\"page\":50,").hasLineCount(1);
  }

  @Test
  void whatIsLeftIsToldOfAndResumed() throws IOException {
    crawl("/0", "-o", list, "--max-pages", 10)
        .ok()
        .says("tamis crawl: URLs still queued: 1; continue with --resume\n...pages=10 ...");
    crawl("/0", "-o", list).refused("...pages.tsv: already exists; resume the crawl...");
    crawl("/0", "-o", list, "--resume").sums("pages=51 pending=0");
    assertThat(Files.readAllLines(list)).hasSize(1 + PAGES + 1).doesNotHaveDuplicates();
    assertThat(asked).hasSize(PAGES + 1 + 2); // robots.txt in each run
  }

  @Test
  void withoutAQueueATemporaryOneIsUsedAndRemoved() throws Exception {
    assertThat(crawlWithoutQueue("0", "-o", list).waitFor()).isZero();
    assertThat(Files.readAllLines(list)).hasSize(1 + PAGES + 1).doesNotHaveDuplicates();
    assertThat(crawlWithoutQueue("0", "-o", list).waitFor()).isEqualTo(2); // the list exists
    assertThat(crawlWithoutQueue("0", "--max-pages", "10").waitFor()).isZero();
    assertThat(directory.resolve("err"))
        .content()
        .startsWith("tamis crawl: URLs still queued: 1; with --queue it could continue\npages=10 ");
    assertThat(directory.resolve("tmp")).isEmptyDirectory();
    Cli.run("crawl --resume", site.url("/0"))
        .refused("tamis crawl: --resume needs the --queue DIR of the crawl to continue");
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "sends SIGINT by kill")
  void anInterruptRemovesTheTemporaryQueue() throws Exception {
    Process process = crawlWithoutQueue("20ms");
    while (asked.size() < 10 && process.isAlive()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    assertThat(directory.resolve("tmp")).isNotEmptyDirectory();
    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
    assertThat(process.waitFor()).isEqualTo(130);
    assertThat(directory.resolve("tmp")).isEmptyDirectory();
  }

  private Process crawlWithoutQueue(String delay, Object... options) throws IOException {
    Path temporary = Files.createDirectories(directory.resolve("tmp"));
    List<String> jvm = List.of("-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary);
    return new ProcessBuilder(
            Cli.java(jvm, Main.class, "crawl --delay", delay, site.url("/0"), options))
        .redirectOutput(directory.resolve("out").toFile())
        .redirectError(directory.resolve("err").toFile())
        .start();
  }

  @Test
  void nothingFoundIsStatusOneWithTheReason() {
    crawl("/gone/2", "-o", list)
        .exits(1)
        .says("tamis crawl: " + site.url("/gone/2") + ": client-error 404\n...");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "example.org | start must be a URL such as https://example.org/docs/, got 'example.org'",
        "http://h/ --delay soon | expected a time such as 500ms, 1.5s or 2m, got 'soon'",
        "http://h/ --delay 100h | delay must be from zero to a day, got PT100H",
        "http://h/ --timeout 0 | timeout must be above zero and at most a day, got PT0S",
        "http://h/ --scope all | expected host, prefix or all-ports, got 'all'",
        "http://h/ --parse-timeout 0 | parseTimeout must be above zero and at most a day, got PT0S",
        "http://h/ --max-links 10000001 | --max-links must be at most 10000000, got 10000001",
        "http://h/ --max-links-size 2G | --max-links-size must be at most 1073741824",
        "http://h/ --max-pages 0 | expected a whole number of at least 1",
        "http://h/ --max-size 2G | --max-size must be at most 1073741824",
        "http://h/ -j 257 | --jobs must be at most 256, got 257",
        "http://h/ --user-agent 1 | userAgent must be a name of letters",
      })
  void badArgumentsAreRefusedBeforeAnythingIsDone(String args, String message) {
    Cli.run("crawl " + args, "--queue", queue).refused("tamis crawl: ..." + message + "...");
    assertThat(queue).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--max-links 1", "--max-links-size 60"})
  void linksBeyondTheLimitsOfAPageAreCounted(String limit) {
    crawl("/0", "-o", list, limit.split(" ", -1))
        .says(
            "...links beyond --max-links or --max-links-size, not followed: 50...page=50 ..."
                + " links=101 ... over-page-limit=50 ...");
  }

  @Test
  void aNameOfAPrivateAddressIsRefusedUnlessPrivateAddressesAreAllowed() throws Exception {
    Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 site.test\n");
    assertThat(crawlProcess(hosts, "refused")).isEqualTo(1);
    assertThat(directory.resolve("err"))
        .content()
        .contains("http://site.test:" + site.port() + "/0: refused: ")
        .contains("URLs at private addresses, not requested: 1; --allow-private requests them")
        .contains(" refused=1 ");
    assertThat(asked).isEmpty();
    assertThat(crawlProcess(hosts, "allowed", "--allow-private")).isZero();
    assertThat(asked).hasSize(PAGES + 2); // robots.txt and what is gone
  }

  private int crawlProcess(Path hosts, String queueName, Object... options) throws Exception {
    List<String> command =
        Cli.java(
            List.of("-XX:TieredStopAtLevel=1", "-Djdk.net.hosts.file=" + hosts),
            Main.class,
            "crawl --delay 0 --queue",
            directory.resolve(queueName),
            "http://site.test:" + site.port() + "/0",
            options);
    return new ProcessBuilder(command)
        .redirectOutput(directory.resolve("out").toFile())
        .redirectError(directory.resolve("err").toFile())
        .start()
        .waitFor();
  }

  @Test
  void pagesAreCountedOnATerminal() {
    System.setProperty("tamis.stderr.tty", "true");
    try {
      assertThat(crawl("/0", "-o", list).err())
          .contains("crawl")
          .contains("crawl  51 pages  0:00:")
          .doesNotContain("?")
          .contains("pages=51 ");
    } finally {
      System.clearProperty("tamis.stderr.tty");
    }
  }

  @Test
  void timesAreReadAsPeopleWriteThem() {
    NumberParser.DurationConverter times = new NumberParser.DurationConverter();
    assertThat(times.convert("0")).isEqualTo(Duration.ZERO);
    assertThat(times.convert("2")).isEqualTo(Duration.ofSeconds(2));
    assertThat(times.convert("1.5s")).isEqualTo(Duration.ofMillis(1500));
    assertThat(times.convert("250ms")).isEqualTo(Duration.ofMillis(250));
    assertThat(times.convert("2m")).isEqualTo(Duration.ofMinutes(2));
    assertThat(times.convert("1H")).isEqualTo(Duration.ofHours(1));
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "sends signals to processes")
  void anInterruptLeavesACrawlThatCanBeResumed() throws Exception {
    Process process =
        new ProcessBuilder(
                Cli.command(
                    "crawl", site.url("/0"), "--delay", "20ms", "--queue", queue, "-o", list))
            .redirectError(directory.resolve("err").toFile())
            .start();
    while (asked.size() < 10 && process.isAlive()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
    assertThat(process.waitFor()).isEqualTo(130);
    assertThat(directory.resolve("err")).content().contains("continue with --resume\npages=");
    crawl("/0", "-o", list, "--resume").sums("pages=51");
    assertThat(Files.readAllLines(list)).hasSize(1 + PAGES + 1).doesNotHaveDuplicates();
  }

  private Cli.Result crawl(String path, Object... options) {
    return Cli.run("crawl --delay 0", site.url(path), "--queue", queue, options);
  }
}
