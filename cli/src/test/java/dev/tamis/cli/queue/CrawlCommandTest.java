package dev.tamis.cli.queue;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Main;
import dev.tamis.cli.report.NumberParser;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(600)
class CrawlCommandTest {

  static {
    // the head and the body of an answer are two packets, and the second would wait for 40 ms
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final int PAGES = 50;

  @TempDir Path directory;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicInteger asked = new AtomicInteger();
  private HttpServer server;
  private Path queue;
  private Path list;

  @BeforeEach
  void serve() throws IOException {
    queue = directory.resolve("queue");
    list = directory.resolve("pages.tsv");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          asked.incrementAndGet();
          boolean there = path.matches("/[0-9]+");
          int next = there ? (Integer.parseInt(path.substring(1)) + 1) % PAGES : 0;
          byte[] body = ("<a href=/" + next + ">x</a><a href=/gone>y</a>").getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(there ? 200 : 404, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Each page links to the next, by a path with an escape that it would not need. */
  @Test
  void urlsAreRequestedAsTheyWereFound() throws IOException {
    List<String> requested = new CopyOnWriteArrayList<>();
    server.createContext(
        "/~joe/",
        exchange -> {
          String uri = exchange.getRequestURI().toString();
          requested.add(uri);
          int id = Integer.parseInt(uri.substring(uri.indexOf('=') + 1));
          byte[] body =
              ("<a href='/%7ejoe/?id=" + (id + 1) + "'>n</a><a href='/~joe/?id=" + id + "'>m</a>")
                  .getBytes(UTF_8);
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(id <= 10 ? 200 : 404, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    Cli.Result result =
        Cli.run(
                "crawl",
                url("/%7ejoe/?id=0"),
                "--queue",
                queue.toString(),
                "--delay",
                "0",
                "--exact",
                "--key",
                "strict",
                "-n",
                "1000",
                "-p",
                "1e-6",
                "--on-full",
                "grow")
            .ok();
    assertThat(requested)
        .containsExactlyElementsOf(
            IntStream.rangeClosed(0, 11).mapToObj(id -> "/%7ejoe/?id=" + id).toList());
    assertThat(result.summary()).containsEntry("page", "11").containsEntry("client-error", "1");
  }

  @Test
  void aFullQueueIsReported() throws IOException {
    Cli.Result result = crawl("-o", list, "-n", "10", "--on-full", "reject");
    assertThat(result.err()).contains("\npages=10 page=9 ").contains(" full=1 ");
    assertThat(result.err())
        .contains("tamis crawl: the queue is full; links to new URLs not queued: 1");
    assertThat(result.exit()).isEqualTo(2);
  }

  @Test
  void anOverfullQueueIsAnErrorUnlessAllowed() {
    byte[] links =
        IntStream.range(0, 3_000)
            .mapToObj(i -> "<a href=/x/" + i + ">x</a>")
            .collect(Collectors.joining())
            .getBytes(UTF_8);
    server.createContext(
        "/wide",
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, links.length);
          exchange.getResponseBody().write(links);
          exchange.close();
        });
    Cli.Result refused = wide(queue, list, "--debug").refused();
    assertThat(refused.err())
        .contains("tamis crawl: the queue is overfull: its fpp is more than 10 times the requested")
        .contains(" overfull=true");
    Cli.Result allowed =
        wide(directory.resolve("other"), directory.resolve("others"), "--allow-overfull").ok();
    assertThat(allowed.err()).doesNotContain("is overfull").contains(" overfull=true");
  }

  private Cli.Result wide(Path inQueue, Path to, String option) {
    String sized = "--max-pages 1 -n 10 -p 0.01 --on-full warn --delay 0 " + option;
    Stream<Object> words = Stream.of("crawl", url("/wide"), "--queue", inQueue, "-o", to);
    return Cli.run(Stream.concat(words, Stream.of(sized.split(" ", -1))).toArray());
  }

  @Test
  void theQueueOfAnotherCrawlIsNamedByItsOption() {
    assertThat(crawl("-o", list, "-n", "100").exit()).isZero();
    assertThat(crawl("-o", list, "-n", "200", "--resume").err())
        .contains("the queue was created with -n 100, got 200; leave -n out");
  }

  @Test
  void everyPageIsListedAndTheSummaryAddsUp() throws IOException {
    Cli.Result result = crawl("-o", list).ok();
    assertThat(result.out()).isEmpty();
    assertThat(Files.readAllLines(list))
        .hasSize(1 + PAGES + 1)
        .startsWith(
            "url\toutcome\tstatus\tcontent_type\tbytes\tlinks\tlinks_over_limit\tdepth\tmillis"
                + "\treferrer\tdetail")
        .anyMatch(line -> line.startsWith(url("/gone") + "\tclient-error\t404\ttext/html\t"));
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
    Cli.Result result = crawl("--json");
    assertThat(result.out().lines()).hasSize(1 + PAGES + 1);
    assertThat(result.err()).startsWith("{\"pages\":51,\"page\":50,").hasLineCount(1);
  }

  @Test
  void whatIsLeftIsToldOfAndResumed() throws IOException {
    Cli.Result first = crawl("-o", list, "--max-pages", 10).ok();
    assertThat(first.err())
        .startsWith("tamis crawl: URLs still queued: 1; continue with --resume\n")
        .contains("pages=10 ");
    Cli.Result again = crawl("-o", list).refused();
    assertThat(again.err()).contains("pages.tsv: already exists; resume the crawl");
    Cli.Result resumed = crawl("-o", list, "--resume");
    assertThat(resumed.summary()).containsEntry("pages", "51").containsEntry("pending", "0");
    assertThat(Files.readAllLines(list)).hasSize(1 + PAGES + 1).doesNotHaveDuplicates();
    assertThat(asked.get()).isEqualTo(PAGES + 1 + 2); // robots.txt in each run
  }

  @Test
  void nothingFoundIsStatusOneWithTheReason() {
    Cli.Result result =
        Cli.run("crawl", url("/gone/2"), "--queue", queue, "--delay", "0", "-o", list);
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.err()).startsWith("tamis crawl: " + url("/gone/2") + ": client-error 404\n");
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
    Object[] words = ("crawl --queue " + queue + " " + args).split(" ");
    Cli.Result result = Cli.run(words).refused();
    assertThat(result.err()).startsWith("tamis crawl: ").contains(message);
    assertThat(queue).doesNotExist();
  }

  @Test
  void linksBeyondTheLimitsOfAPageAreCounted() throws IOException {
    for (String[] limit : new String[][] {{"--max-links", "1"}, {"--max-links-size", "60"}}) {
      Path other = directory.resolve(limit[0]);
      Cli.Result result =
          Cli.run("crawl", url("/0"), "--queue", other, "--delay", "0", limit[0], limit[1]);
      assertThat(result.err())
          .contains(" page=" + PAGES + " ")
          .contains(" links=" + (1 + 2 * PAGES) + " ")
          .contains(" over-page-limit=" + PAGES + " ")
          .contains("links beyond --max-links or --max-links-size, not followed: " + PAGES);
    }
  }

  @Test
  void aNameOfAPrivateAddressIsRefusedUnlessPrivateAddressesAreAllowed() throws Exception {
    Path hosts = Files.writeString(directory.resolve("hosts"), "127.0.0.1 site.test\n");
    assertThat(crawlProcess(hosts, "refused")).isEqualTo(1);
    assertThat(directory.resolve("err"))
        .content()
        .contains("http://site.test:" + server.getAddress().getPort() + "/0: refused: ")
        .contains("URLs at private addresses, not requested: 1; --allow-private requests them")
        .contains(" refused=1 ");
    assertThat(asked.get()).isZero();
    assertThat(crawlProcess(hosts, "allowed", "--allow-private")).isZero();
    assertThat(asked.get()).isEqualTo(PAGES + 2); // robots.txt and what is gone
  }

  private int crawlProcess(Path hosts, String queueName, String... options) throws Exception {
    List<String> command =
        Cli.java(
            List.of("-XX:TieredStopAtLevel=1", "-Djdk.net.hosts.file=" + hosts),
            Main.class,
            "crawl",
            "http://site.test:" + server.getAddress().getPort() + "/0",
            "--delay",
            "0",
            "--queue",
            directory.resolve(queueName));
    command.addAll(List.of(options));
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
      assertThat(crawl("-o", list).err())
          .contains("crawl")
          .contains("crawl  51 pages  0:00:")
          .doesNotContain("?")
          .contains("pages=51 ");
    } finally {
      System.clearProperty("tamis.stderr.tty");
    }
  }

  @Test
  void aQueueIsNeeded() {
    assertThat(Cli.run("crawl", url("/0")).err()).contains("--queue");
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
  @EnabledOnOs(OS.LINUX)
  void anInterruptLeavesACrawlThatCanBeResumed() throws Exception {
    Process process =
        new ProcessBuilder(
                Cli.command("crawl", url("/0"), "--delay", "20ms", "--queue", queue, "-o", list))
            .redirectError(directory.resolve("err").toFile())
            .start();
    while (asked.get() < 10 && process.isAlive()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start().waitFor();
    assertThat(process.waitFor()).isEqualTo(130);
    assertThat(directory.resolve("err")).content().contains("continue with --resume\npages=");
    assertThat(crawl("-o", list, "--resume").summary()).containsEntry("pages", "51");
    assertThat(Files.readAllLines(list)).hasSize(1 + PAGES + 1).doesNotHaveDuplicates();
  }

  private Cli.Result crawl(Object... options) {
    Object[] args = new Object[options.length + 6];
    args[0] = "crawl";
    args[1] = url("/0");
    args[2] = "--queue";
    args[3] = queue;
    args[4] = "--delay";
    args[5] = "0";
    System.arraycopy(options, 0, args, 6, options.length);
    return Cli.run(args);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }
}
