package dev.tamis.crawler.crawl;

import static dev.tamis.crawler.crawl.Outcome.CLIENT_ERROR;
import static dev.tamis.crawler.crawl.Outcome.DISALLOWED;
import static dev.tamis.crawler.crawl.Outcome.FILE;
import static dev.tamis.crawler.crawl.Outcome.PAGE;
import static dev.tamis.crawler.crawl.Outcome.REDIRECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CrawlTest {

  @AutoClose private final Site site = new Site(Crawls::fastNanos);

  @Test
  void everyPageOfASiteIsAskedForOnceAndListedOnce() throws Exception {
    Map<String, Outcome> expected = new TreeMap<>();
    int pages = 300;
    for (int i = 0; i < pages; i++) {
      site.page(
          "/p/" + i,
          "/p/" + (i * 7 + 1) % pages,
          "/p/" + (i * 3 + 2) % pages + "#part-" + i,
          "../p/./" + (i + 1) % pages,
          "/",
          "/missing/" + i % 10,
          "/file/" + i % 5 + ".pdf",
          "mailto:somebody@example.org",
          "http://[");
      expected.put(site.url("/p/" + i), PAGE);
    }
    site.page(
        "/",
        "p/0",
        "HTTP://127.0.0.1:" + port() + "/p/1",
        "old",
        "a b c",
        "b/",
        "x?b=2&a=1",
        "x?a=1&b=2");
    site.redirect("/old", 301, "/new").page("/new", "p/2").page("/a%20b%20c", "p/3");
    site.html(
        "/b/", "<base href='/c/d/'><a href='e'>x</a><area href='f'><iframe src='g'></iframe>");
    site.page("/c/d/e").page("/c/d/f").page("/c/d/g").page("/x?a=1&b=2").page("/x?b=2&a=1");
    for (int i = 0; i < 5; i++) {
      site.on(
          "/file/" + i + ".pdf", exchange -> Site.send(exchange, 200, "application/pdf", "%PDF"));
      expected.put(site.url("/file/" + i + ".pdf"), FILE);
    }
    IntStream.range(0, 10).forEach(i -> expected.put(site.url("/missing/" + i), CLIENT_ERROR));
    expected.put(site.url("/old"), REDIRECT);
    for (String path :
        new String[] {
          "/", "/new", "/a%20b%20c", "/b/", "/c/d/e", "/c/d/f", "/c/d/g", "/x?a=1&b=2", "/x?b=2&a=1"
        }) {
      expected.put(site.url(path), PAGE);
    }

    Crawls.Result result = Crawls.of(site.url("/"));

    assertThat(result.outcomes()).isEqualTo(expected);
    assertThat(site.asked()).doesNotHaveDuplicates().hasSize(expected.size());
    assertThat(site.requests()).allMatch(request -> request.userAgent().equals("tester/1.0"));
    CrawlSummary summary = result.summary();
    assertThat(summary.pages()).isEqualTo(expected.size());
    assertThat(summary.outcomes().values().stream().mapToLong(Long::longValue).sum())
        .isEqualTo(expected.size());
    assertThat(summary.requests()).isEqualTo(expected.size() + 1); // robots.txt
    assertThat(summary.pending()).isZero();
    assertThat(summary.retries()).isZero();
    LinkCounts links = summary.links();
    assertThat(links.accepted()).isEqualTo(expected.size());
    assertThat(links.invalid()).isEqualTo(2L * pages); // the address of somebody, and http://[
    assertThat(links.found())
        .isEqualTo(
            links.accepted()
                + links.known()
                + links.outOfScope()
                + links.overHostLimit()
                + links.overPageLimit()
                + links.invalid());
  }

  @Test
  void aRowSaysWhatWasFoundAndHow() throws Exception {
    site.page("/", "/a").page("/a", "/b", "/b#x", "/c").redirect("/b", 302, "/d");
    site.on("/c", exchange -> Site.send(exchange, 200, "Text/HTML;charset=utf-8", "<p>short"));
    Crawls.Result result = Crawls.of(site.url("/"));
    PageResult c = result.page(site.url("/c"));
    assertThat(c.status()).hasValue(200);
    assertThat(c.contentType()).isEqualTo("text/html");
    assertThat(c.bytes()).hasValue(8);
    assertThat(c.depth()).isEqualTo(2);
    assertThat(c.referrer()).isEqualTo(site.url("/a"));
    assertThat(result.page(site.url("/a")).links()).isEqualTo(2);
    assertThat(result.page(site.url("/b")).detail()).isEqualTo(site.url("/d"));
    PageResult d = result.page(site.url("/d"));
    assertThat(d.outcome()).isEqualTo(CLIENT_ERROR);
    assertThat(d.referrer()).isEqualTo(site.url("/b"));
    assertThat(d.depth()).isEqualTo(2);
    assertThat(result.list().lines())
        .startsWith(PageRow.HEADER)
        .hasSize(1 + 5)
        .anyMatch(
            line ->
                line.startsWith(site.url("/c") + "\tpage\t200\ttext/html\t8\t0\t0\t2\t")
                    && line.endsWith("\t" + site.url("/a") + "\t"));
  }

  @Test
  void redirectsAreFollowedOneVisitEachUntilTheyLeadRoundOrAwayOrNowhere() throws Exception {
    site.page("/", "/round/a", "/away", "/nowhere", "/chain/0", "/none", "/self");
    site.redirect("/round/a", 301, "/round/b").redirect("/round/b", 307, "/round/a");
    site.redirect("/away", 308, site.urlOn("localhost", "/elsewhere"));
    site.redirect("/nowhere", 302, "mailto:x@example.org");
    site.redirect("/self", 302, "/self#again");
    site.on("/none", exchange -> exchange.sendResponseHeaders(302, -1));
    for (int i = 0; i < 20; i++) {
      site.redirect("/chain/" + i, 303, "/chain/" + (i + 1));
    }
    Crawls.Result result = Crawls.of(site.url("/"));
    Map<String, Outcome> expected = new TreeMap<>();
    expected.put(site.url("/"), PAGE);
    for (String path : new String[] {"/round/a", "/round/b", "/away", "/nowhere", "/self"}) {
      expected.put(site.url(path), REDIRECT);
    }
    expected.put(site.url("/none"), Outcome.SERVER_ERROR);
    for (int i = 0; i <= Worker.MAX_REDIRECTS; i++) {
      expected.put(site.url("/chain/" + i), REDIRECT);
    }
    assertThat(result.outcomes()).isEqualTo(expected);
    assertThat(result.page(site.url("/chain/" + Worker.MAX_REDIRECTS)).detail())
        .startsWith("limit of 10 redirects in a row reached: ");
    assertThat(result.page(site.url("/nowhere")).detail()).startsWith("not a URL: ");
    assertThat(result.summary().links().outOfScope()).isEqualTo(1);
  }

  @Test
  void aRedirectToWhatIsForbiddenIsNotFollowed() throws Exception {
    site.page("/", "/go").redirect("/go", 301, "/private/x");
    robots("User-agent: *\nDisallow: /private/\n");
    assertThat(Crawls.of(site.url("/")).outcomes())
        .containsEntry(site.url("/private/x"), DISALLOWED);
    assertThat(site.asked()).containsExactly("/", "/go");
  }

  @Test
  void aHostIsLeftAloneBetweenVisitsHoweverManyThreadsThereAre() throws Exception {
    site.page("/", "/1", "/2", "/3", "/4");
    IntStream.rangeClosed(1, 4).forEach(i -> site.page("/" + i));
    Duration delay = Duration.ofSeconds(20);
    Crawls.of(site.url("/"), settings -> settings.delay(delay).jobs(8));
    assertThat(shortestGapNanos()).isGreaterThanOrEqualTo(delay.toNanos());
  }

  @Test
  void robotsMayAskForALongerDelay() throws Exception {
    site.page("/", "/1", "/2").page("/1").page("/2");
    robots("User-agent: *\nCrawl-delay: 30\n");
    Crawls.of(site.url("/"), settings -> settings.delay(Duration.ofSeconds(1)));
    assertThat(shortestGapNanos()).isGreaterThanOrEqualTo(Duration.ofSeconds(30).toNanos());
  }

  @Test
  void hostsAreVisitedBesideEachOther() throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    Site.Handler meeting =
        exchange -> {
          both.countDown();
          try {
            both.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          Site.send(exchange, 200, "text/html", "met");
        };
    site.on("/a", meeting).on("/b", meeting);
    Crawls.Result result =
        Crawls.of(
            site.url("/a"), settings -> settings.start(site.urlOn("localhost", "/b")).jobs(2));
    assertThat(result.summary().count(PAGE)).isEqualTo(2);
  }

  @Test
  void aTrapHasNoMorePagesThanAreAllowed() throws Exception {
    calendar();
    assertThat(Crawls.of(site.url("/day/0"), settings -> settings.maxPages(50)).summary().pages())
        .isEqualTo(50);
    Crawls.Result limited =
        Crawls.of(site.url("/day/0"), settings -> settings.queue(queue -> queue.maxPerHost(40)));
    assertThat(limited.summary().pages()).isEqualTo(40);
    assertThat(limited.summary().pending()).isZero();
    assertThat(limited.summary().links().overHostLimit()).isPositive();
  }

  @Test
  void aPrefixKeepsToTheFolderOfTheStart() throws Exception {
    site.page("/docs/index.html", "a", "../up", "/docs/b/c", "/docs-old/x", "/docs/../z");
    site.page("/docs/a").page("/docs/b/c");
    Crawls.Result result =
        Crawls.of(site.url("/docs/index.html"), settings -> settings.reach(Reach.PREFIX));
    assertThat(result.outcomes())
        .containsOnlyKeys(site.url("/docs/index.html"), site.url("/docs/a"), site.url("/docs/b/c"));
    assertThat(result.summary().links().outOfScope()).isEqualTo(3);
  }

  @Test
  void pagesAndLinksAreLeftOutWhereTheyAskForIt() throws Exception {
    site.html(
        "/",
        "<a href=a rel='external nofollow'>x</a><a href=b>x</a><a href=c>x</a><a href=d>x</a>");
    site.html("/b", "<meta name=ROBOTS content='noindex, nofollow'><a href=e>x</a>");
    site.html("/c", "<meta name=tester content=none><a href=e>x</a>");
    site.on(
        "/d",
        exchange -> {
          exchange.getResponseHeaders().add("X-Robots-Tag", "other: none");
          exchange.getResponseHeaders().add("X-Robots-Tag", "Tester: nofollow");
          Site.send(exchange, 200, "text/html", "<a href=e>x</a>");
        });
    Crawls.Result result = Crawls.of(site.url("/"));
    assertThat(result.outcomes())
        .containsOnlyKeys(site.url("/"), site.url("/b"), site.url("/c"), site.url("/d"));
    assertThat(result.page(site.url("/b")).detail()).isEqualTo("noindex");
    assertThat(result.page(site.url("/c")).detail()).isEqualTo("noindex");
    assertThat(result.page(site.url("/d")).detail()).isEmpty();
  }

  @Test
  void whatStopsIsLeftToALaterRun() throws Exception {
    calendar();
    Crawl[] running = new Crawl[1];
    try (Crawl crawl =
        Crawls.builder()
            .start(site.url("/day/0"))
            .pages(new ByteArrayOutputStream())
            .listener(page -> running[0].stop())
            .beginInMemory()) {
      running[0] = crawl;
      CrawlSummary summary = crawl.run();
      assertThat(summary.pages()).isPositive();
      assertThat(summary.pending()).isPositive();
      assertThatThrownBy(crawl::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("has run");
    }
  }

  @Test
  void aListThatCannotBeWrittenEndsTheCrawl() throws Exception {
    calendar();
    OutputStream full =
        new OutputStream() {
          private int left = 2000;

          @Override
          public void write(int b) throws IOException {
            if (--left < 0) {
              throw new IOException("No space left on device");
            }
          }
        };
    try (Crawl crawl = Crawls.builder().start(site.url("/day/0")).pages(full).beginInMemory()) {
      assertThatThrownBy(crawl::run).isInstanceOf(IOException.class).hasMessageContaining("space");
    }
  }

  @Test
  void settingsAreCheckedAtOnce() {
    CrawlBuilder builder = Crawl.builder();
    assertThatThrownBy(() -> builder.userAgent("1/x")).hasMessageContaining("userAgent must be");
    assertThatThrownBy(() -> builder.userAgent("a/x\ny")).hasMessageContaining("userAgent must be");
    assertThatThrownBy(() -> builder.start("example.org")).hasMessageContaining("'example.org'");
    assertThatThrownBy(() -> builder.start("ftp://h/")).hasMessageContaining("'ftp://h/'");
    assertThatThrownBy(() -> builder.delay(Duration.ofNanos(-1))).hasMessageContaining("delay");
    assertThatThrownBy(() -> builder.delay(Duration.ofDays(2))).hasMessageContaining("delay");
    assertThatThrownBy(() -> builder.timeout(Duration.ZERO)).hasMessageContaining("timeout");
    Duration second = Duration.ofSeconds(1);
    assertThatThrownBy(() -> new PageLimits(0, second, 1, 1))
        .hasMessageContaining("maxBytes must be 1 to");
    assertThatThrownBy(() -> new PageLimits(PageLimits.LARGEST_BYTES + 1, second, 1, 1))
        .hasMessageContaining("maxBytes");
    assertThatThrownBy(() -> new PageLimits(1, Duration.ZERO, 1, 1))
        .hasMessageContaining("parseTimeout must be above zero");
    assertThatThrownBy(() -> new PageLimits(1, second, PageLimits.LARGEST_LINKS + 1, 1))
        .hasMessageContaining("maxLinks");
    assertThatThrownBy(() -> builder.jobs(0)).hasMessageContaining("jobs");
    assertThatThrownBy(() -> builder.jobs(CrawlBuilder.LARGEST_JOBS + 1))
        .hasMessageContaining("jobs");
    assertThatThrownBy(() -> builder.maxPages(0)).hasMessageContaining("maxPages");
    assertThatThrownBy(() -> builder.queue(queue -> queue.maxPerHost(0)))
        .hasMessageContaining("maxPerHost");
    assertThatThrownBy(builder::beginInMemory)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("userAgent");
  }

  /** A page for each day, each with a link to the next: without end. */
  private void calendar() {
    for (int i = 0; i < 2000; i++) {
      site.page("/day/" + i, "/day/" + (i + 1), "/day/" + (i + 1) + "?session=" + i * 31);
      site.page("/day/" + (i + 1) + "?session=" + i * 31, "/day/" + (i + 2));
    }
  }

  private void robots(String text) {
    site.on("/robots.txt", exchange -> Site.send(exchange, 200, "text/plain", text));
  }

  private long shortestGapNanos() {
    long[] times =
        site.requests().stream()
            .filter(request -> !request.path().equals("/robots.txt"))
            .mapToLong(Site.Request::nanos)
            .toArray();
    return IntStream.range(1, times.length).mapToLong(i -> times[i] - times[i - 1]).min().orElse(0);
  }

  private String port() {
    return site.url("").replaceAll(".*:", "");
  }
}
