package dev.tamis.crawler.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.Optional;

/** Pages that somebody hostile wrote are read, and their links can be asked for. */
class LinksFuzzTest {

  private static final String ADDRESS = "http://h/d/p";

  @FuzzTest(maxDuration = "5m")
  void anyBytesAreAPageWhoseLinksCanBeAskedFor(byte[] bytes) {
    for (String type : new String[] {Links.HTML, Links.XHTML}) {
      for (String address : Links.of(bytes, type, Optional.empty(), ADDRESS, "a").addresses()) {
        assertThat(Address.of(address)).contains(address);
        Visit visit = Visit.start(ADDRESS).link(address);
        assertThat(Visit.of(visit.queued())).contains(visit);
      }
    }
  }
}
