package dev.tamis.crawler.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.fuzz.Pieces;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * Pages of any pieces have the links that their trees have, and no others than can be requested.
 *
 * <p>The first byte of an input chooses content type and character set, the second how often the
 * rest is repeated; the rest is text and pieces.
 */
class LinksFuzzTest {

  private static final String ADDRESS = "http://h/d/p";
  private static final int TEXT_AT = 2;
  private static final int MAX_CHARACTERS = 100_000;
  private static final int MAX_SHIFT = 15;
  private static final int MAX_LINKS = 1_000;
  private static final int MAX_LINK_BYTES = 200_000;
  private static final int MAX_DEPTH = 512;

  private static final List<String> CHARSETS =
      List.of(
          "UTF-8",
          "ISO-8859-1",
          "UTF-16LE",
          "UTF-16BE",
          "windows-1251",
          "Shift_JIS",
          "GB18030",
          "ISO-2022-JP");

  private static final Pieces HTML =
      Pieces.words(
          """
          <a␠href= <a␠href=" "> '> > /> </a> <area␠href= <link␠rel=next␠href= \
          <link␠rel=stylesheet␠href= <link␠rel=alternate␠type=text/html␠href= <iframe␠src= \
          <frame␠src= <frameset> </iframe> <base␠href= <base␠href=' <base> \
          <meta␠http-equiv=refresh␠content='0;url= <meta␠http-equiv=refresh␠content="5␠,␠URL␠=␠ \
          <meta␠name=robots␠content=nofollow> <meta␠name=robots␠content='noindex,␠none'> \
          <meta␠name=a␠content=nofollow> <meta␠name=b␠content=nofollow> <meta␠charset= \
          <meta␠http-equiv=content-type␠content='text/html;␠charset= \
          <?xml␠version='1.0'␠encoding=' '?> ␠rel=nofollow␠ ␠rel='x␠NoFollow␠y'␠ \
          <img␠srcset='/s1␠1x,␠/s2␠2x'> <table> <tr> <td> </td> </tr> </table> <caption> <p> <b> \
          <i> </b> </i> </p> <div> </div> <form> </form> <select> <option> <template> \
          </template> <svg> </svg> <math> <mi> <title> </title> <script> </script> <noscript> \
          </noscript> <textarea> </textarea> <!-- --> <![CDATA[ ]]> <!DOCTYPE␠html> <head> \
          </head> <body> </body> <html> </html> <plaintext> &amp; &#x2e; &sol; &#0; &#xD800; \
          http://h/ https:// // ../ ./ %2e%2e/ % ?q= #f http://u:p@h/ http://[::1]:80/ \
          http://b\u00fccher.de/ javascript: mailto:x@y data:text/html, /a /b/c x1 \u00e9 \ufeff \
          ␤ \u0000 \ud83d\ude00 \u0130\
          """
              .replace("␤", "\u2028"),
          "a".repeat(300),
          "/".repeat(300),
          " ".repeat(300));

  /** References with undisputed targets. */
  private static final Pattern SIMPLE = Pattern.compile("/?[a-z0-9]+(?:/[a-z0-9]+)*");

  private static final Pattern NOFOLLOW = Pattern.compile("(?is)(?:.*[\\s,])?(?:nofollow|none)");

  @FuzzTest(maxDuration = "10m")
  void aPageOfAnyPiecesHasTheLinksOfItsTree(byte[] bytes) throws Exception {
    if (bytes.length <= TEXT_AT) {
      return;
    }
    String type = bytes[0] % 2 == 0 ? Links.HTML : Links.XHTML;
    String charset = CHARSETS.get(bytes[0] >>> 1 & 7);
    Optional<String> named = (bytes[0] & 16) == 0 ? Optional.of(charset) : Optional.empty();
    String once = HTML.text(bytes, TEXT_AT);
    int repeats = repeats(bytes[1], once.length());
    byte[] page = once.repeat(repeats).getBytes(Charset.forName(charset));
    InputBudget.check(page.length, () -> check(page, type, named, repeats == 1));
  }

  /** Returns a power of two, or mostly one: long pages cost a fuzzer time. */
  private static int repeats(byte shift, int length) {
    return shift < 0 || shift > MAX_SHIFT
        ? 1
        : Math.max(1, Math.min(1 << shift, MAX_CHARACTERS / length));
  }

  private static void check(byte[] page, String type, Optional<String> charset, boolean compares)
      throws Exception {
    PageLimits limits = new PageLimits(1 << 20, Duration.ofMinutes(1), MAX_LINKS, MAX_LINK_BYTES);
    Task visit = Task.start(ADDRESS);
    Links links = Links.of(page, type, charset, visit, "a", limits);
    assertThat(links.addresses()).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(MAX_LINKS);
    long queuedBytes = 0;
    for (String address : links.addresses()) {
      Task target = visit.link(address);
      Requestable.check(target);
      queuedBytes += target.queued().length();
    }
    assertThat(queuedBytes).isLessThanOrEqualTo(MAX_LINK_BYTES);
    if (links.tag().nofollow()) {
      assertThat(links.addresses()).isEmpty();
    }
    if (compares) {
      compare(links, tree(page, type, charset));
    }
  }

  private static Document tree(byte[] page, String type, Optional<String> charset)
      throws IOException {
    Parser parser = type.equals(Links.XHTML) ? Parser.xmlParser() : Parser.htmlParser();
    parser.setMaxDepth(MAX_DEPTH);
    return Jsoup.parse(new ByteArrayInputStream(page), charset.orElse(null), "", parser);
  }

  private static void compare(Links links, Document tree) {
    for (Element meta : tree.select("meta[name]")) {
      if (List.of("robots", "a").contains(meta.attr("name").strip().toLowerCase(Locale.ROOT))
          && NOFOLLOW.matcher(meta.attr("content")).lookingAt()) {
        assertThat(links.tag().nofollow()).as("%s", meta).isTrue();
      }
    }
    List<Element> bases = tree.select("base[href]");
    boolean isLimited = links.overLimit() > 0 || links.tag().nofollow();
    if (isLimited || bases.size() > 1) { // of several bases the first to end counts
      return;
    }
    URI base = URI.create(ADDRESS);
    if (!bases.isEmpty()) {
      String href = bases.get(0).attr("href").strip();
      if (!SIMPLE.matcher(href).matches()) {
        return;
      }
      base = base.resolve(href);
    }
    for (Element anchor : tree.select("a[href], area[href]")) {
      String href = anchor.attr("href").strip();
      List<String> relations =
          Arrays.asList(anchor.attr("rel").toLowerCase(Locale.ROOT).split("\\s+"));
      if (SIMPLE.matcher(href).matches() && !relations.contains("nofollow")) {
        assertThat(links.addresses()).contains(base.resolve(href).toString());
      }
    }
  }
}
