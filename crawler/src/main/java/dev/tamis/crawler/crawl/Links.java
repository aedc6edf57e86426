package dev.tamis.crawler.crawl;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * The links of a page.
 *
 * @param addresses each once, in the order of the page
 * @param invalid links that cannot be requested: other schemes, and malformed URLs
 * @param tag the robots tag of the page; with {@code nofollow} there are no addresses
 */
record Links(List<String> addresses, long invalid, RobotsTag tag) {

  /** Relations of {@code link} that lead to a page; the others are styles, icons and feeds. */
  private static final Set<String> RELATIONS =
      Set.of(
          "alternate",
          "appendix",
          "author",
          "bookmark",
          "canonical",
          "chapter",
          "contents",
          "copyright",
          "first",
          "glossary",
          "help",
          "index",
          "last",
          "license",
          "next",
          "prev",
          "previous",
          "search",
          "section",
          "start",
          "subsection",
          "toc",
          "top",
          "up");

  /** Possessive throughout: what one part has taken no other is tried with. */
  private static final Pattern REFRESH =
      Pattern.compile("(?is)\\s*+[0-9.]*+\\s*+[;,]?+\\s*+url\\s*+=\\s*+['\"]?+([^'\"]*+).*+");

  static final String HTML = "text/html";
  static final String XHTML = "application/xhtml+xml";

  /** Returns whether resources of this content type are pages with links. */
  static boolean areIn(String contentType) {
    return contentType.equals(HTML) || contentType.equals(XHTML);
  }

  /**
   * Parses a page.
   *
   * @param charset the character set named by the server; if empty or unknown, the page's own is
   *     used
   * @param agent the product name of this crawler in robots tags
   */
  static Links of(
      byte[] body, String contentType, Optional<String> charset, String address, String agent) {
    Document page = parse(body, contentType, charset.filter(Links::isCharset), address);
    RobotsTag tag = tag(page, agent);
    Set<String> found = new LinkedHashSet<>();
    long invalid = 0;
    if (!tag.nofollow()) {
      String base = base(page, address);
      for (String reference : references(page)) {
        Optional<String> target = Address.of(reference, base);
        target.ifPresent(found::add);
        invalid += target.isPresent() ? 0 : 1;
      }
    }
    return new Links(List.copyOf(found), invalid, tag);
  }

  private static Document parse(
      byte[] body, String contentType, Optional<String> charset, String address) {
    Parser parser = contentType.equals(XHTML) ? Parser.xmlParser() : Parser.htmlParser();
    try {
      return Jsoup.parse(new ByteArrayInputStream(body), charset.orElse(null), address, parser);
    } catch (IOException e) {
      throw new UncheckedIOException("unreachable: the bytes are in memory", e);
    }
  }

  private static boolean isCharset(String name) {
    try {
      return Charset.isSupported(name);
    } catch (IllegalCharsetNameException e) {
      return false;
    }
  }

  /** Returns the base of relative references: the page's {@code base} or its own address. */
  private static String base(Document page, String address) {
    Element base = page.selectFirst("base[href]");
    return base == null ? address : Address.of(base.attr("href"), address).orElse(address);
  }

  private static RobotsTag tag(Document page, String agent) {
    RobotsTag tag = RobotsTag.NOTHING;
    for (Element meta : page.select("meta[name][content]")) {
      String name = meta.attr("name").strip();
      if (name.equalsIgnoreCase("robots") || name.equalsIgnoreCase(agent)) {
        tag = tag.and(RobotsTag.ofWords(meta.attr("content")));
      }
    }
    return tag;
  }

  private static List<String> references(Document page) {
    return page
        .select("a[href], area[href], link[href], iframe[src], frame[src], meta[http-equiv]")
        .stream()
        .filter(element -> !words(element, "rel").contains("nofollow"))
        .flatMap(element -> reference(element).stream())
        .filter(reference -> !reference.strip().startsWith("#"))
        .toList();
  }

  private static Optional<String> reference(Element element) {
    return switch (element.normalName()) {
      case "a", "area" -> Optional.of(element.attr("href"));
      case "link" -> leadsToAPage(element) ? Optional.of(element.attr("href")) : Optional.empty();
      case "meta" -> refresh(element);
      default -> Optional.of(element.attr("src"));
    };
  }

  private static boolean leadsToAPage(Element link) {
    String type = link.attr("type").strip().toLowerCase(Locale.ROOT);
    return (type.isEmpty() || areIn(type))
        && words(link, "rel").stream().anyMatch(RELATIONS::contains)
        && !words(link, "rel").contains("stylesheet");
  }

  private static Optional<String> refresh(Element meta) {
    Matcher url = REFRESH.matcher(meta.attr("content"));
    return meta.attr("http-equiv").strip().equalsIgnoreCase("refresh") && url.matches()
        ? Optional.of(url.group(1))
        : Optional.empty();
  }

  private static List<String> words(Element element, String attribute) {
    return List.of(element.attr(attribute).toLowerCase(Locale.ROOT).strip().split("\\s+"));
  }
}
