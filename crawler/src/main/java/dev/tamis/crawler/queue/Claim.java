package dev.tamis.crawler.queue;

/**
 * A URL that goes into a shared filter.
 *
 * @param host whose turn it will wait for; empty where hosts are not told apart
 * @param url as it was pushed
 * @param key what it is told apart by
 */
record Claim(String host, String url, String key) {}
