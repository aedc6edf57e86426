package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.JvmCommand;
import dev.tamis.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages made to cost time, memory or disk. */
@Timeout(120)
class HostilePagesTest {

  private static final int LINKS = Thorough.or(5_000, 20_000);

  @TempDir Path directory;
  @AutoClose private final Site site = new Site();

  @Test
  void aLongBaseDoesNotMultiplyShortLinksIntoTheQueue() throws Exception {
    String base = "/" + "x".repeat(8000) + "/";
    site.html("/", "<base href='" + base + "'>" + Site.anchors(numbers(LINKS)));
    assertQueueStaysSmall("/");
  }

  @Test
  void aLongAddressOfThePageDoesNotMultiplyShortLinksEither() throws Exception {
    String path = "/" + "x".repeat(8000);
    site.page(path, numbers(LINKS));
    assertQueueStaysSmall(path);
  }

  private void assertQueueStaysSmall(String start) throws Exception {
    CrawlSummary summary = run(start, settings -> settings.maxPages(1));
    LinkCounts links = summary.links();
    assertThat(links.found()).isEqualTo(1 + LINKS);
    assertThat(links.accepted() + links.overPageLimit()).isEqualTo(1 + LINKS);
    assertThat(bytes(directory.resolve("queue"))).isLessThan(30L << 20);
    String[] row = rows().get(0).split("\t", -1);
    assertThat(Long.parseLong(row[5])).isEqualTo(links.accepted() - 1);
    assertThat(Long.parseLong(row[6])).isEqualTo(links.overPageLimit()).isPositive();
    assertThat(run(start, settings -> settings.maxPages(1)).requests()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void linksAreFollowedUpToTheLimitOfTheirNumber(int offset) throws Exception {
    site.page("/", numbers(10));
    LinkCounts links = Crawls.of(site.url("/"), limits(10 + offset, 1 << 20)).summary().links();
    assertThat(links.overPageLimit()).isEqualTo(offset < 0 ? 1 : 0);
    assertThat(links.accepted()).isEqualTo(1 + 10 - links.overPageLimit());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 1})
  void linksAreFollowedUpToTheLimitOfTheirBytes(int offset) throws Exception {
    site.page("/", numbers(10));
    Task page = Task.start(site.url("/"));
    int bytes =
        IntStream.range(0, 10)
            .map(i -> page.link(site.url("/" + (100_000 + i))).queued().length())
            .sum();
    LinkCounts links = Crawls.of(site.url("/"), limits(100, bytes + offset)).summary().links();
    assertThat(links.overPageLimit()).isEqualTo(offset < 0 ? 1 : 0);
    assertThat(links.accepted()).isEqualTo(1 + 10 - links.overPageLimit());
  }

  @Test
  void linksToPartsOfOnePageAreOneLink() throws Exception {
    site.page("/", "/a#1", "/a#2", "/a", "/a#3", "/b");
    LinkCounts links = Crawls.of(site.url("/"), limits(2, 1 << 20)).summary().links();
    assertThat(links.overPageLimit()).isZero();
    assertThat(links.accepted()).isEqualTo(3);
  }

  @Test
  void aPageThatIsNotParsedInTimeIsUnreadableAndNotVisitedAgain() throws Exception {
    site.page("/", "/long", "/short").page("/short");
    site.html("/long", "<p>x<b>y".repeat(1 << 20));
    UnaryOperator<CrawlBuilder> hasty =
        settings ->
            settings.pageLimits(new PageLimits(10 << 20, Duration.ofMillis(50), 100, 1 << 20));
    CrawlSummary summary = run("/", hasty);
    assertThat(summary.count(Outcome.UNREADABLE)).isEqualTo(1);
    assertThat(rows())
        .anyMatch(
            row ->
                row.startsWith(site.url("/long") + "\tunreadable\t200\t")
                    && row.endsWith("\tnot parsed in 50 ms"));
    assertThat(summary.pending()).isZero();
    CrawlSummary resumed = run("/", hasty);
    assertThat(resumed.requests()).isZero();
    assertThat(resumed.pages()).isEqualTo(3);
  }

  @Test
  void noPageTakesMuchMoreMemoryThanItsBytes() throws Exception {
    String open =
        IntStream.range(0, 400).mapToObj(i -> "<b x" + i + ">").collect(Collectors.joining());
    for (String page :
        List.of(
            "<table>" + "x<b>".repeat(PageLimits.DEFAULT.maxBytes() / 4),
            "x<br>".repeat(PageLimits.DEFAULT.maxBytes() / 5),
            "<a href=x rel='" + "a ".repeat(PageLimits.DEFAULT.maxBytes() / 2) + "'>",
            "<meta name=robots content='" + "a,".repeat(PageLimits.DEFAULT.maxBytes() / 2) + "'>",
            "<base href='" + "/a".repeat(PageLimits.DEFAULT.maxBytes() / 2) + "'>",
            open + "<p>x".repeat(10_000))) {
      Path file = Files.writeString(directory.resolve("page"), page + "<a href=end>");
      assertThat(linksOf(file)).as(page.substring(0, 10)).contains("http://h/end");
    }
  }

  /** Parses a page in a process with a small heap. */
  private String linksOf(Path page) throws Exception {
    Process process =
        new ProcessBuilder(
                JvmCommand.of(List.of("-Xmx200m", "-XX:+UseSerialGC"), SmallHeap.class, page))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("said").toFile())
            .start();
    process.waitFor();
    return Files.readString(directory.resolve("said"));
  }

  /** Prints the links of a page. */
  static final class SmallHeap {
    private SmallHeap() {}

    public static void main(String[] args) throws Exception {
      PageLimits limits = new PageLimits(1 << 20, Duration.ofMinutes(1), 10, 1000);
      Task page = Task.start("http://h/");
      byte[] body = Files.readAllBytes(Path.of(args[0]));
      Links links = Links.of(body, Links.HTML, Optional.of("utf-8"), page, "a", limits);
      new java.io.PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out), true, UTF_8)
          .println(links.addresses());
    }
  }

  private static UnaryOperator<CrawlBuilder> limits(int maxLinks, int maxLinkBytes) {
    return settings ->
        settings.pageLimits(new PageLimits(1 << 20, Duration.ofMinutes(1), maxLinks, maxLinkBytes));
  }

  private CrawlSummary run(String start, UnaryOperator<CrawlBuilder> settings) throws Exception {
    CrawlBuilder builder =
        Crawls.builder().start(site.url(start)).pages(directory.resolve("pages.tsv"));
    try (Crawl crawl = settings.apply(builder).resume(directory.resolve("queue"))) {
      return crawl.run();
    }
  }

  private List<String> rows() throws IOException {
    List<String> lines = Files.readAllLines(directory.resolve("pages.tsv"));
    return lines.subList(1, lines.size());
  }

  private static String[] numbers(int count) {
    return IntStream.range(0, count).mapToObj(i -> "" + (100_000 + i)).toArray(String[]::new);
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }
}
