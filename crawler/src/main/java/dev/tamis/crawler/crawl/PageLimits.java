package dev.tamis.crawler.crawl;

import dev.tamis.sizing.Checks;
import java.time.Duration;

/**
 * Limits of what one page may cost.
 *
 * @param maxBytes the size of a page, compressed and decompressed, 1 to {@link #LARGEST_BYTES};
 *     larger pages are {@link Outcome#TOO_LARGE}
 * @param parseTimeout the time to parse it, above zero and at most a day; pages that take longer
 *     are {@link Outcome#UNREADABLE}
 * @param maxLinks the distinct links that are followed, 1 to {@link #LARGEST_LINKS}; the rest is
 *     counted
 * @param maxLinkBytes the bytes that they take in the queue, each with the URL of the page, 1 to
 *     {@link #LARGEST_BYTES}: under a long base a short reference is a long URL
 */
public record PageLimits(int maxBytes, Duration parseTimeout, int maxLinks, int maxLinkBytes) {

  /** The highest limit of bytes: a page is held in memory. */
  public static final int LARGEST_BYTES = 1 << 30;

  /** The highest limit of links: they are held in memory. */
  public static final int LARGEST_LINKS = 10_000_000;

  /** 10 MiB, parsed in 30 seconds, with as many links as a sitemap may have. */
  public static final PageLimits DEFAULT =
      new PageLimits(10 << 20, Duration.ofSeconds(30), 50_000, 10 << 20);

  public PageLimits {
    Checks.range("maxBytes", maxBytes, 1, LARGEST_BYTES);
    CrawlBuilder.aboveZero("parseTimeout", parseTimeout);
    Checks.range("maxLinks", maxLinks, 1, LARGEST_LINKS);
    Checks.range("maxLinkBytes", maxLinkBytes, 1, LARGEST_BYTES);
  }
}
