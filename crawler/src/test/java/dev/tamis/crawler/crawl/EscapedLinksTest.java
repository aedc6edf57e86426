package dev.tamis.crawler.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Links that are spelled to get past the scope and robots.txt. */
class EscapedLinksTest {

  private static final String[] SPELLINGS = {
    "%2e%2e/secret/p%2d1/?q",
    "%2E./secret/p%2d1/?q",
    ".%2e\\secret/p%2d1/?q",
    "x/%2e%2e/%2e%2e/secret/p%2d1/?q",
    ".&#9;./secret/p%2d1/?q",
    "/docs/%2e%2e/%73ecret/p%2d1/?q",
    "/docs/./%2e%2e/secret%2fp1"
  };

  /** So many different ones they are, with escapes that are not needed left as they are. */
  private static final int ADDRESSES = 3;

  @AutoClose private final Site site = new Site(Crawls::fastNanos);

  @BeforeEach
  void fill() {
    StringBuilder links = new StringBuilder();
    for (String link : SPELLINGS) {
      links.append("<a href='").append(link).append("'>x</a>");
    }
    site.html("/docs/", links.toString());
    site.page("/secret/p%2d1/").page("/secret/p-1/").page("/secret%2fp1");
  }

  @Test
  void noneLeavesThePrefix() throws Exception {
    Crawls.Result result = Crawls.of(site.url("/docs/"), settings -> settings.reach(Reach.PREFIX));
    assertThat(site.asked()).containsExactly("/docs/");
    assertThat(result.summary().links().outOfScope()).isEqualTo(ADDRESSES);
  }

  @Test
  void noneIsAllowedWhereItIsForbidden() throws Exception {
    site.on(
        "/robots.txt",
        exchange ->
            Site.send(
                exchange,
                200,
                "text/plain",
                "User-agent: *\nDisallow: /secret/\nDisallow: /secret%2f\n"));
    Crawls.of(site.url("/docs/"));
    assertThat(site.asked()).containsExactly("/docs/");
  }
}
