package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.crawler.queue.VisitQueue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Crawls that are left and taken up again. */
@Timeout(60)
class ResumeTest {

  private static final int PAGES = 60;

  @TempDir Path directory;
  private Path queue;
  private Path list;
  @AutoClose private final Site site = new Site();

  @BeforeEach
  void fill() {
    queue = directory.resolve("queue");
    list = directory.resolve("pages.tsv");
    for (int i = 0; i < PAGES; i++) {
      site.page("/" + i, "/" + (i + 1) % PAGES, "/" + i * 2 % PAGES, "/" + i * 3 % PAGES);
    }
  }

  @Test
  void aCrawlThatWasStoppedGoesOnWhereItWas() throws Exception {
    CrawlSummary first = stoppedAfter(10);
    assertThat(first.pages()).isBetween(10L, 11L);
    assertThat(rows()).hasSize((int) first.pages());
    CrawlSummary last = resumed(settings -> settings);
    assertThat(last.pages()).isEqualTo(PAGES);
    assertThat(last.count(Outcome.PAGE)).isEqualTo(PAGES);
    assertThat(last.pending()).isZero();
    assertListed();
  }

  @Test
  void aCompleteCrawlRequestsNothingMore() throws Exception {
    assertThat(resumed(settings -> settings).requests()).isEqualTo(PAGES + 1);
    byte[] before = Files.readAllBytes(list);
    CrawlSummary again = resumed(settings -> settings);
    assertThat(again.requests()).isZero();
    assertThat(again.pages()).isEqualTo(PAGES);
    assertThat(Files.readAllBytes(list)).isEqualTo(before);
  }

  @Test
  void theMostPagesAreCountedOverAllRuns() throws Exception {
    stoppedAfter(5);
    assertThat(resumed(settings -> settings.maxPages(20)).pages()).isEqualTo(20);
    assertThat(resumed(settings -> settings.maxPages(20)).requests()).isZero();
    assertThat(resumed(settings -> settings.maxPages(PAGES)).pages()).isEqualTo(PAGES);
    assertListed();
  }

  @Test
  void aRowWhoseVisitTheQueueDoesNotKnowOfIsWrittenAgain() throws Exception {
    stoppedAfter(10);
    String next;
    try (VisitQueue waiting = VisitQueue.open(queue)) {
      next = Task.of(waiting.peek().orElseThrow()).orElseThrow().address();
    }
    String row = rows().get(3).replaceFirst("^[^\t]*", next);
    Files.writeString(list, row + "\n", UTF_8, StandardOpenOption.APPEND);
    assertThat(resumed(settings -> settings).pages()).isEqualTo(PAGES);
    assertListed();
  }

  @Test
  void aTornRowIsTakenAway() throws Exception {
    stoppedAfter(10);
    Files.writeString(list, "http://127.0.0.1/torn\tpage\t2", UTF_8, StandardOpenOption.APPEND);
    assertThat(resumed(settings -> settings).pages()).isEqualTo(PAGES);
    assertListed();
  }

  @Test
  void aTornHeaderIsWrittenAgain() throws Exception {
    Files.writeString(list, PageRow.HEADER.substring(0, 7), UTF_8);
    assertThat(resumed(settings -> settings).pages()).isEqualTo(PAGES);
    assertListed();
  }

  @Test
  void aFileWithoutAWholeLineIsOnlyEmptiedIfItIsTheBeginningOfAList() throws Exception {
    Files.writeString(list, "notes, without an end of line", UTF_8);
    assertRefused(
        "pages.tsv:1: list of pages: must be the column names, got 'notes, without an end of"
            + " line'");
    assertThat(list).hasContent("notes, without an end of line");
  }

  @Test
  void whatSomebodyElsePushedIsVisitedOrListedAsImpossible() throws Exception {
    stoppedAfter(10);
    site.page("/pushed");
    try (VisitQueue waiting = VisitQueue.open(queue)) {
      assertThat(waiting.push(site.url("/pushed")).isAccepted()).isTrue();
      assertThat(waiting.push("http://a_b/x").isAccepted()).isTrue();
    }
    CrawlSummary summary = resumed(settings -> settings);
    assertThat(summary.count(Outcome.PAGE)).isEqualTo(PAGES + 1);
    assertThat(rows())
        .anyMatch(row -> row.matches("http://a_b/x\tunreachable\t.*\tnot an HTTP or HTTPS URL"));
  }

  @Test
  void aListThatMissesRowsOrHasTooManyIsRefused() throws Exception {
    stoppedAfter(10);
    List<String> lines = Files.readAllLines(list);
    Files.write(list, lines.subList(0, 5));
    assertRefused("must have the 1[01] visits of the queue, got 4;");
    List<String> more = new ArrayList<>(lines);
    more.addAll(lines.subList(1, 3));
    Files.write(list, more);
    assertRefused("must have the 1[01] visits of the queue, got 1[23];");
    Files.delete(list);
    assertRefused("must have the 1[01] visits of the queue, got no file;");
  }

  @Test
  void whatIsNoListIsRefusedAndLeftAlone() throws Exception {
    stoppedAfter(10);
    List<String> lines = new ArrayList<>(Files.readAllLines(list));
    lines.set(4, "not a row");
    Files.write(list, lines);
    assertRefused("pages.tsv:5: list of pages: must be a row, got 'not a row'");
    Files.writeString(list, "something else\n");
    assertRefused("pages.tsv:1: list of pages: must be the column names, got 'something else'");
    Files.writeString(list, "x".repeat(PageRow.MAX_BYTES + 1));
    assertRefused("pages.tsv:1: list of pages: must be at most 98304 bytes, got more");
    assertThat(Files.size(list)).isEqualTo(PageRow.MAX_BYTES + 1);
  }

  @Test
  void aNewCrawlOverwritesNothing() throws Exception {
    stoppedAfter(10);
    assertThatThrownBy(() -> builder().begin(directory.resolve("other")))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("already exists; resume the crawl that wrote it");
    assertThat(directory.resolve("other")).doesNotExist();
    assertThatThrownBy(() -> builder().pages(directory.resolve("new.tsv")).begin(queue))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("already has a crawl; resume it");
    assertThat(directory.resolve("new.tsv")).doesNotExist();
    resumed(settings -> settings);
    assertListed();
  }

  @Test
  void aListInAStreamHasTheRowsOfOneRun() throws Exception {
    ByteArrayOutputStream first = new ByteArrayOutputStream();
    ByteArrayOutputStream second = new ByteArrayOutputStream();
    run(builder().pages(first).maxPages(10).resume(queue));
    run(builder().pages(second).resume(queue));
    assertThat(first.toString(UTF_8).lines()).hasSize(1 + 10);
    assertThat(second.toString(UTF_8).lines()).hasSize(1 + PAGES - 10);
  }

  private CrawlSummary stoppedAfter(int pages) throws Exception {
    AtomicInteger count = new AtomicInteger();
    Crawl[] crawl = new Crawl[1];
    crawl[0] =
        builder()
            .listener(
                page -> {
                  if (count.incrementAndGet() == pages) {
                    crawl[0].stop();
                  }
                })
            .begin(queue);
    return run(crawl[0]);
  }

  private CrawlSummary resumed(UnaryOperator<CrawlBuilder> settings) throws Exception {
    return run(settings.apply(builder()).resume(queue));
  }

  private static CrawlSummary run(Crawl crawl) throws Exception {
    try (crawl) {
      return crawl.run();
    }
  }

  private CrawlBuilder builder() {
    return Crawl.builder()
        .userAgent("tester/1.0")
        .delay(Duration.ZERO)
        .start(site.url("/0"))
        .pages(list);
  }

  private void assertRefused(String message) {
    assertThatThrownBy(() -> resumed(settings -> settings))
        .isInstanceOf(FileSystemException.class)
        .hasMessageFindingMatch(message);
  }

  private void assertListed() throws IOException {
    assertThat(Files.readAllLines(list).get(0)).isEqualTo(PageRow.HEADER);
    assertThat(rows().stream().map(row -> row.split("\t", -1)[0]))
        .hasSize(PAGES)
        .doesNotHaveDuplicates();
  }

  private List<String> rows() throws IOException {
    List<String> lines = Files.readAllLines(list);
    return lines.subList(1, lines.size());
  }
}
