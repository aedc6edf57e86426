package dev.tamis.crawler.crawl;

import dev.tamis.crawler.crawl.PageElements.Deadline;
import dev.tamis.crawler.crawl.PageElements.UnreadablePageException;
import dev.tamis.crawler.queue.WebUrl;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;

/**
 * The links of a page.
 *
 * @param addresses each once, in the order in which their elements end
 * @param invalid links that cannot be requested: other schemes, and malformed URLs
 * @param overLimit references beyond the limits of a page, which are not followed
 * @param tag the robots tag of the page; with {@code nofollow} there are no addresses
 */
record Links(List<String> addresses, long invalid, long overLimit, RobotsTag tag) {

  /** Relations of {@code link} that lead to a page; the others are styles, icons and feeds. */
  private static final Pattern RELATION =
      word(
          "alternate|appendix|author|bookmark|canonical|chapter|contents|copyright|first|glossary"
              + "|help|index|last|license|next|prev|previous|search|section|start|subsection|toc"
              + "|top|up");

  private static final Pattern STYLESHEET = word("stylesheet");
  private static final Pattern NOFOLLOW = word("nofollow");

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
   * @param charset as of {@link PageElements#forEach}
   * @param agent the product name of this crawler in robots tags
   */
  static Links of(
      byte[] body,
      String contentType,
      Optional<String> charset,
      Task page,
      String agent,
      PageLimits limits)
      throws UnreadablePageException, InterruptedException {
    Deadline deadline = Deadline.in(limits.parseTimeout());
    Parser parser = contentType.equals(XHTML) ? Parser.xmlParser() : Parser.htmlParser();
    Collector collector = new Collector(agent, limits);
    PageElements.forEach(body, parser, charset, deadline, collector::add);
    return collector.links(page, deadline);
  }

  private static Optional<String> reference(Element element) {
    return switch (element.normalName()) {
      case "a", "area" -> attribute(element, "href");
      case "link" -> leadsToAPage(element) ? attribute(element, "href") : Optional.empty();
      case "iframe", "frame" -> attribute(element, "src");
      case "meta" -> refresh(element);
      default -> Optional.empty();
    };
  }

  private static Optional<String> attribute(Element element, String name) {
    return element.hasAttr(name) ? Optional.of(element.attr(name)) : Optional.empty();
  }

  private static boolean leadsToAPage(Element link) {
    String type = link.attr("type").strip().toLowerCase(Locale.ROOT);
    return (type.isEmpty() || areIn(type))
        && isRelated(link, RELATION)
        && !isRelated(link, STYLESHEET);
  }

  private static Optional<String> refresh(Element meta) {
    Matcher url = REFRESH.matcher(meta.attr("content"));
    return meta.attr("http-equiv").strip().equalsIgnoreCase("refresh") && url.matches()
        ? Optional.of(url.group(1))
        : Optional.empty();
  }

  /** Searches the words of a relation; there may be millions. */
  private static boolean isRelated(Element element, Pattern word) {
    return word.matcher(element.attr("rel")).find();
  }

  private static Pattern word(String words) {
    return Pattern.compile("(?i)(?<!\\S)(?:" + words + ")(?!\\S)");
  }

  /** The links of a page as far as it has been read. */
  private static final class Collector {

    /*
     * References are resolved when the page has been read, since base and nofollow may be anywhere in
     * it. Until then they are limited like the links that they make.
     */

    private final String agent;
    private final PageLimits limits;
    private final Set<String> references = new LinkedHashSet<>();
    private long referenceCharacters;
    private long invalid;
    private long overLimit;
    private Optional<String> base = Optional.empty();
    private RobotsTag tag = RobotsTag.NOTHING;

    Collector(String agent, PageLimits limits) {
      this.agent = agent;
      this.limits = limits;
    }

    void add(Element element) {
      String name = element.normalName();
      if (name.equals("base") && base.isEmpty()) {
        base = attribute(element, "href");
      }
      if (name.equals("meta") && isForAgent(element.attr("name").strip())) {
        tag = tag.and(RobotsTag.ofWords(element.attr("content")));
      }
      reference(element)
          .filter(reference -> !isRelated(element, NOFOLLOW))
          .map(String::trim)
          .ifPresent(this::addReference);
    }

    private boolean isForAgent(String name) {
      return name.equalsIgnoreCase("robots") || name.equalsIgnoreCase(agent);
    }

    private void addReference(String reference) {
      if (reference.startsWith("#")) {
        return;
      }
      int fragment = reference.indexOf('#');
      String target = fragment < 0 ? reference : reference.substring(0, fragment);
      if (target.length() > Address.MAX_BYTES) {
        invalid++;
      } else if (!references.contains(target)) {
        if (references.size() < limits.maxLinks()
            && referenceCharacters + target.length() <= limits.maxLinkBytes()) {
          references.add(target);
          referenceCharacters += target.length();
        } else {
          overLimit++;
        }
      }
    }

    Links links(Task page, Deadline deadline) throws UnreadablePageException, InterruptedException {
      if (tag.nofollow()) {
        return new Links(List.of(), 0, 0, tag);
      }
      Set<String> found = new LinkedHashSet<>();
      Optional<WebUrl> from = WebUrl.of(base(page.address()));
      long room = limits.maxLinkBytes();
      for (String reference : references) {
        deadline.check();
        if (room == 0) {
          overLimit++;
          continue;
        }
        Optional<String> target = from.flatMap(url -> Address.of(reference, url));
        if (target.isEmpty()) {
          invalid++;
        } else if (!found.contains(target.get())) {
          long bytes = page.link(target.get()).queued().length();
          if (bytes <= room) {
            found.add(target.get());
          } else {
            overLimit++;
          }
          room = Math.max(0, room - bytes);
        }
      }
      return new Links(List.copyOf(found), invalid, overLimit, tag);
    }

    private String base(String address) {
      return base.flatMap(href -> Address.of(href, address)).orElse(address);
    }
  }
}
