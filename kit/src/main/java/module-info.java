/**
 * What people build with the filters: de-duplication, a queue of URLs to visit, and files that are
 * replaced safely.
 */
@org.jspecify.annotations.NullMarked
module dev.tamis.kit {
  requires transitive dev.tamis.core;
  requires static transitive org.jspecify;
  requires com.h2database.mvstore;
  requires crawler.commons;
  requires java.net.http;
  requires org.jsoup;

  exports dev.tamis.kit.crawl;
  exports dev.tamis.kit.dedup;
  exports dev.tamis.kit.file;
  exports dev.tamis.kit.queue;
}
