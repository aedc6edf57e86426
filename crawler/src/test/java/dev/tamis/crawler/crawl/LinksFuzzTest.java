package dev.tamis.crawler.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.time.Duration;
import java.util.Optional;

/** Pages that somebody hostile wrote are read, and their links can be asked for. */
class LinksFuzzTest {

  private static final String ADDRESS = "http://h/d/p";

  @FuzzTest(maxDuration = "5m")
  void anyBytesAreAPageWhoseLinksCanBeAskedFor(byte[] bytes) throws Exception {
    PageLimits limits = new PageLimits(Duration.ofMinutes(1), 1000, 1 << 20);
    Visit page = Visit.start(ADDRESS);
    for (String type : new String[] {Links.HTML, Links.XHTML}) {
      Links links = Links.of(bytes, type, Optional.empty(), page, "a", limits);
      for (String address : links.addresses()) {
        assertThat(Address.of(address)).contains(address);
        Visit visit = page.link(address);
        assertThat(Visit.of(visit.queued())).contains(visit);
      }
    }
  }
}
