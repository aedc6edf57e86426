package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Addresses, links, dates and rows by themselves. */
class PartsTest {

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @ParameterizedTest
  @CsvSource({
    "HTTP://Example.ORG:80/a/../b#c, http://example.org/b",
    "https://example.org, https://example.org/",
    "http://h/a b, http://h/a%20b",
    "http://h/é, http://h/%C3%A9",
    "http://Bücher.de/, http://xn--bcher-kva.de/",
    "http://h/%7Ea%2fb, http://h/%7Ea%2fb",
    "http://h/a|b\"c?d|e, http://h/a%7Cb%22c?d%7Ce",
    "http://h/p%2d1/?y=f&x#z, http://h/p%2d1/?y=f&x",
    "http://ex\u00e4mple/\u00fc?\u00df, http://xn--exmple-cua/%C3%BC?%C3%9F",
    "http://h/%, http://h/%25",
    "http://user:secret@h/, http://h/",
    "' http://h/ ', http://h/",
    "http://h/a\fb?\fc, http://h/a%0Cb?%0Cc",
    "http://h/\u3000, http://h/%E3%80%80",
    "http://[::1]:8080/a, http://[::1]:8080/a",
  })
  void anAddressIsTheUrlAsItWasFound(String url, String address) {
    assertThat(Address.of(url)).contains(address);
    assertThat(Address.of(address)).contains(address);
  }

  @Test
  void whatCannotBeRequestedByHttpHasNoAddress() {
    for (String url :
        """
        a /a mailto:a@b ftp://h/ javascript:void(0) data:text/html,x http: http:// http:///a \
        http://a_b/ http://h:70000/ file:///etc/passwd http://[/\
        """
            .split(" ", -1)) {
      assertThat(Address.of(url)).as(url).isEmpty();
    }
    assertThat(Address.of("")).isEmpty();
  }

  @Test
  void anAddressHasALimitedLength() {
    String start = "http://h/";
    int room = Address.MAX_BYTES - start.length();
    assertThat(Address.of(start + "x".repeat(room - 1))).isPresent();
    assertThat(Address.of(start + "x".repeat(room))).isPresent();
    assertThat(Address.of(start + "x".repeat(room + 1))).isEmpty();
  }

  @Test
  void aVisitComesBackFromTheQueueAsItWas() {
    Task start = Task.start("http://h/");
    Task link = start.link("http://h/a").redirect("http://h/b");
    assertThat(link).isEqualTo(new Task("http://h/b", 1, 1, "http://h/a"));
    assertThat(Task.of(link.queued())).contains(link);
    assertThat(Task.of(start.queued())).contains(start);
    assertThat(Task.of("http://h/x#1,2")).contains(Task.start("http://h/x"));
    assertThat(Task.of("nonsense#1,2,")).isEmpty();
    String longest = "http://h/" + "x".repeat(Address.MAX_BYTES - 9);
    assertThat(new Task(longest, 999_999_999, 10, longest).queued().length())
        .isLessThanOrEqualTo(Task.MAX_BYTES);
  }

  @Test
  void everyKindOfLinkIsFoundOnceAndNothingElse() throws Exception {
    String html =
        "<head><link rel=stylesheet href=s><link rel='shortcut icon' href=i><link rel=Next"
            + " href=n><link rel='alternate' type='application/rss+xml' href=rss><link"
            + " rel=alternate href=de><link rel='alternate stylesheet' href=s2><meta"
            + " http-equiv=Refresh content='5; URL=\"r\"'><meta http-equiv=Content-Language"
            + " content='de; url=no'></head><body><a name=x>no</a><a href=a>1</a><a href=' a\n"
            + "'>2</a><a href=#top>3</a><map><area href=ar></map><iframe src=if></iframe><img"
            + " src=no.png><script src=no.js></script><a href='//other.org/p'>4</a><a"
            + " href='?q=1'>5</a><a href='tel:1'>6</a><form action=no></form><a href=x"
            + " rel='nofollow'>7</a>";
    Links links = links(html, Links.HTML);
    assertThat(links.addresses())
        .containsExactly(
            "http://h/d/n",
            "http://h/d/de",
            "http://h/d/r",
            "http://h/d/a",
            "http://h/d/ar",
            "http://h/d/if",
            "http://other.org/p",
            "http://h/d/p?q=1");
    assertThat(links.invalid()).isEqualTo(1);
  }

  @Test
  void aFramesetHasLinks() throws Exception {
    assertThat(links("<frameset><frame src=a><frame src=b></frameset>", Links.HTML).addresses())
        .containsExactly("http://h/d/a", "http://h/d/b");
  }

  @Test
  void xhtmlIsReadAsXml() throws Exception {
    String page =
        "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head><script src='x'/>"
            + "<base href='/b/'/></head><body><a href='a'>1</a></body></html>";
    assertThat(links(page, Links.XHTML).addresses()).containsExactly("http://h/b/a");
  }

  @Test
  void aDeeplyNestedPageIsRead() throws Exception {
    String html = "<div>".repeat(100_000) + "<a href=a>x</a>";
    assertThat(links(html, Links.HTML).addresses()).contains("http://h/d/a");
  }

  @ParameterizedTest
  @CsvSource({
    "noindex, true, false",
    "'NoFollow , x', false, true",
    "none, true, true",
    "all, false, false"
  })
  void aTagIsReadWordByWord(String words, boolean noindex, boolean nofollow) {
    assertThat(RobotsTag.ofWords(words)).isEqualTo(new RobotsTag(noindex, nofollow));
  }

  @Test
  void aTimeToComeBackIsSecondsOrADate() {
    assertThat(Worker.retryAfter("0", NOW)).contains(Duration.ZERO);
    assertThat(Worker.retryAfter("3599", NOW)).contains(Duration.ofSeconds(3599));
    assertThat(Worker.retryAfter("3600", NOW)).contains(Worker.MAX_RETRY_AFTER);
    assertThat(Worker.retryAfter("3601", NOW)).contains(Worker.MAX_RETRY_AFTER);
    assertThat(Worker.retryAfter("99999999999999999999", NOW)).contains(Worker.MAX_RETRY_AFTER);
    assertThat(Worker.retryAfter("Thu, 01 Jan 2026 00:01:00 GMT", NOW))
        .contains(Duration.ofMinutes(1));
    assertThat(Worker.retryAfter("Wed, 31 Dec 2025 00:00:00 GMT", NOW)).contains(Duration.ZERO);
    assertThat(Worker.retryAfter("soon", NOW)).isEmpty();
    assertThat(Worker.retryAfter("-1", NOW)).isEmpty();
  }

  @Test
  void nothingThatAServerSendsBreaksARow() {
    PageResult page =
        new PageResult(
            "http://h/",
            Outcome.REDIRECT,
            OptionalInt.of(301),
            "text\thtml" + "\u20ac".repeat(100_000),
            OptionalLong.empty(),
            0,
            0,
            3,
            12,
            "",
            "a\r\nb\u001b\u009b\u202e\u2066\u2028\ud800\ue000\udb40\udc41"
                + "\u20ac".repeat(100_000));
    String row = PageRow.of(page);
    assertThat(row.split("\t", -1)).hasSize(PageRow.HEADER.split("\t", -1).length);
    assertThat(row)
        .startsWith("http://h/\tredirect\t301\ttext\\u0009html\u20ac")
        .contains(
            "\ta\\u000d\\u000ab\\u001b\\u009b\\u202e\\u2066\\u2028\\ud800\\ue000\\udb40\\udc41\u20ac");
    assertThat(row.getBytes(UTF_8).length + 2 * Address.MAX_BYTES).isLessThan(PageRow.MAX_BYTES);
    assertThat(PageRow.outcome(row)).contains(Outcome.REDIRECT);
  }

  private static Links links(String page, String type) throws Exception {
    return Links.of(
        page.getBytes(UTF_8),
        type,
        Optional.of("utf-8"),
        Task.start("http://h/d/p"),
        "tester",
        new PageLimits(1 << 20, Duration.ofMinutes(1), 1000, 1 << 20));
  }

  @Test
  void outcomesHaveLabels() {
    assertThat(List.of(Outcome.values()))
        .allMatch(outcome -> Outcome.of(outcome.label()).orElseThrow() == outcome);
    assertThat(Outcome.CLIENT_ERROR.label()).isEqualTo("client-error");
    assertThat(Outcome.of("")).isEmpty();
  }
}
