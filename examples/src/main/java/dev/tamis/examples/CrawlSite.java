package dev.tamis.examples;

import dev.tamis.crawler.crawl.Crawl;
import dev.tamis.crawler.crawl.CrawlSummary;
import dev.tamis.crawler.crawl.Reach;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;

/** Lists the pages below a URL in a file; started again, it goes on where it was stopped. */
public final class CrawlSite {

  private CrawlSite() {}

  /** Takes the URL and a folder for the queue and the list. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Usage.require(2, args, CrawlSite.class, "URL DIRECTORY");
    run(args[0], Path.of(args[1]), Duration.ofSeconds(1), System.out);
  }

  static void run(String url, Path folder, Duration delay, PrintStream out)
      throws IOException, InterruptedException {
    try (Crawl crawl =
        Crawl.builder()
            .userAgent("example/1.0 (+https://example.org/bot)")
            .start(url)
            .reach(Reach.PREFIX)
            .delay(delay)
            .pages(folder.resolve("pages.tsv"))
            .listener(page -> out.println(page.outcome().label() + " " + page.url()))
            .resume(folder.resolve("queue"))) {
      CrawlSummary summary = crawl.run();
      out.println(summary.pages() + " pages, " + summary.pending() + " still in line");
    }
  }
}
