package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.crawler.crawl.PageFile.PageScan;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.fuzz.Pieces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import okhttp3.Headers;

/**
 * Any response of a server is one row of the list of pages and visits that can be requested.
 *
 * <p>The first byte of an input chooses the status; lines of headers follow, an empty line, and the
 * body.
 */
class ResponseFuzzTest {

  private static final int[] STATUSES = {
    200, 301, 302, 303, 307, 308, 204, 206, 300, 304, 404, 408, 410, 429, 500, 503, 0, -1, 999
  };

  private static final int MAX_BYTES = 100_000;

  private static final Pieces HEAD =
      Pieces.words(
          """
          Location:␠ Content-Type:␠text/html\n Content-Type:␠application/xhtml+xml;␠charset= \
          Content-Type:␠ Content-Encoding:␠gzip\n Content-Encoding:␠ Content-Length:␠ \
          Retry-After:␠ X-Robots-Tag:␠ nofollow noindex none a:␠ http://h/ https:// // ../ \
          %2e%2e/ % ?q #f \\ \t \r \u0000 ␍ \u00e9 ␤ \ud800 utf-16 ' ;charset= \
          99999999999 Wed,␠21␠Oct␠2026␠07:28:00␠GMT\
          """
              .replace("␤", "\u2028")
              .replace("␍", "\u0085"),
          "x".repeat(1_000));

  private static final Task PAGE = new Task("http://h/d/p", 3, 9, "http://h/");

  private final Worker worker =
      Crawls.worker(new PageLimits(MAX_BYTES, Duration.ofMinutes(1), 100, 100_000));

  @FuzzTest(maxDuration = "10m")
  void anyResponseIsARowAndVisitsThatCanBeRequested(byte[] bytes) throws Exception {
    if (bytes.length == 0) {
      return;
    }
    int end = endOfHead(bytes);
    String head = HEAD.text(Arrays.copyOf(bytes, end), 1);
    byte[] body = Arrays.copyOfRange(bytes, Math.min(bytes.length, end + 2), bytes.length);
    int status = STATUSES[(bytes[0] & 0xff) % STATUSES.length];
    boolean isWhole = bytes[0] >= 0;
    FetchResult.Response response =
        new FetchResult.Response(new FetchResult.Head(status, headers(head)), body, isWhole);
    // a compressed body is allowed the memory of what it may become
    InputBudget.check(head.length() + MAX_BYTES, () -> check(response));
  }

  private static int endOfHead(byte[] bytes) {
    for (int i = 1; i + 1 < bytes.length; i++) {
      if (bytes[i] == '\n' && bytes[i + 1] == '\n') {
        return i;
      }
    }
    return bytes.length;
  }

  private static Headers headers(String head) {
    Headers.Builder headers = new Headers.Builder();
    for (String line : head.split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).chars().allMatch(c -> c > ' ' && c < 0x7f)) {
        headers.addUnsafeNonAscii(line.substring(0, colon), line.substring(colon + 1).trim());
      }
    }
    return headers.build();
  }

  private void check(FetchResult.Response response) throws Exception {
    Worker.Result result = worker.judge(PAGE, response, 0);
    checkRow(result.row());
    for (Task link : result.links()) {
      Requestable.check(link);
      assertThat(link.referrer()).isEqualTo(PAGE.address());
    }
    if (response.location().isPresent()) {
      assertThat(result.row().outcome()).isEqualTo(Outcome.REDIRECT);
      assertThat(result.links()).hasSizeLessThanOrEqualTo(1);
      assertThat(result.links()).allMatch(link -> link.redirects() == PAGE.redirects() + 1);
    } else {
      assertThat(result.links()).allMatch(link -> link.depth() == PAGE.depth() + 1);
      assertThat(result.links()).allMatch(link -> link.redirects() == 0);
    }
    result
        .again()
        .after()
        .ifPresent(time -> assertThat(time).isBetween(Duration.ZERO, Worker.MAX_RETRY_AFTER));
  }

  /** A row is one line of a list, whatever the server has written. */
  private static void checkRow(PageResult row) throws IOException {
    byte[] list = (PageRow.HEADER + "\n" + PageRow.of(row) + "\n").getBytes(UTF_8);
    PageTally tally = new PageTally();
    PageScan scan = PageScan.of(Path.of("list"), new ByteArrayInputStream(list), tally);
    assertThat(scan.end()).isEqualTo(list.length);
    assertThat(scan.last()).isEqualTo(row.outcome());
    assertThat(tally.total()).isEqualTo(1);
    assertThat(new String(list, ISO_8859_1)).doesNotContain("\r", "\0");
  }
}
