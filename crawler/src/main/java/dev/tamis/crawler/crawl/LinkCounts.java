package dev.tamis.crawler.crawl;

/**
 * Counts of the links found since the crawl began or was resumed.
 *
 * <p>They add up: {@code found = accepted + known + outOfScope + overHostLimit + overPageLimit +
 * full + invalid}.
 *
 * @param found links, each once per page, including redirects and starts
 * @param accepted those that lead to a new URL
 * @param known those to a URL seen before
 * @param outOfScope those that lead out of the scope
 * @param overHostLimit those to a new URL of a host that has reached its limit
 * @param overPageLimit those beyond the limits of links of a page, which were not looked at
 * @param full those to a new URL that a full queue rejected
 * @param invalid those that cannot be requested, such as {@code mailto:}
 */
public record LinkCounts(
    long found,
    long accepted,
    long known,
    long outOfScope,
    long overHostLimit,
    long overPageLimit,
    long full,
    long invalid) {}
