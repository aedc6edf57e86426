package dev.tamis.crawler.crawl;

/**
 * What became of the links that were found since the crawl began or was resumed.
 *
 * <p>It adds up: {@code found = accepted + known + outOfScope + overHostLimit + invalid}.
 *
 * @param found links, each once for each page, redirects and starts among them
 * @param accepted those that lead to a new URL
 * @param known those to a URL that was met before
 * @param outOfScope those that lead out of the scope
 * @param overHostLimit those to a new URL of a host of which enough were accepted
 * @param invalid those that nothing can be asked for by, such as {@code mailto:}
 */
public record LinkCounts(
    long found, long accepted, long known, long outOfScope, long overHostLimit, long invalid) {}
