package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.crawler.crawl.PageElements.Deadline;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages read element by element have the elements that they have as a tree. */
class PageElementsTest {

  private static final String[] PARTS =
      """
      a b i p div table tr td select option template form svg math title script noscript li \
      ul nobr button h1 frameset iframe body html head base meta link textarea caption col \
      applet br\
      """
          .split(" ", -1);

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tagSoupLosesNoReference(boolean xml) throws Exception {
    Random random = new Random(11);
    for (int round = 0; round < 1000; round++) {
      String page = soup(random, 1 + random.nextInt(300));
      Parser parser = xml ? Parser.xmlParser() : Parser.htmlParser();
      Set<String> whole = new TreeSet<>();
      for (Element element : Jsoup.parse(page, "", parser.newInstance()).select("[href]")) {
        whole.add(element.normalName() + element.attr("href"));
      }
      Set<String> streamed = new TreeSet<>();
      PageElements.forEach(
          page.getBytes(UTF_8),
          parser,
          Optional.of("utf-8"),
          Deadline.in(Duration.ofMinutes(1)),
          element -> {
            if (element.hasAttr("href")) {
              streamed.add(element.normalName() + element.attr("href"));
            }
          });
      assertThat(streamed).as(page).containsAll(whole);
    }
  }

  private static String soup(Random random, int length) {
    StringBuilder page = new StringBuilder();
    for (int i = 0; i < length; i++) {
      String name = PARTS[random.nextInt(PARTS.length)];
      switch (random.nextInt(4)) {
        case 0 -> page.append("</").append(name).append('>');
        case 1 -> page.append('<').append(name).append('>');
        case 2 -> page.append('<').append(name).append(" href=").append(i).append('>');
        default -> page.append(random.nextBoolean() ? "x" : "<!---->");
      }
    }
    return page.toString();
  }

  @Test
  void theCharacterSetIsThatOfTheMarkOrTheServerOrThePage() throws Exception {
    String page = "<meta charset=ISO-8859-1><a href=é>";
    assertThat(reference(page, "ISO-8859-1", Optional.empty())).isEqualTo("é");
    assertThat(reference(page, "UTF-8", Optional.of("utf-8"))).isEqualTo("é");
    assertThat(reference("\uFEFF" + page, "UTF-8", Optional.empty())).isEqualTo("é");
    assertThat(reference("\uFEFF" + page, "UTF-16LE", Optional.empty())).isEqualTo("é");
    assertThat(reference("<a href=é>", "UTF-8", Optional.of("no such"))).isEqualTo("é");
  }

  private static String reference(String page, String charset, Optional<String> named)
      throws Exception {
    StringBuilder found = new StringBuilder();
    PageElements.forEach(
        page.getBytes(Charset.forName(charset)),
        Parser.htmlParser(),
        named,
        Deadline.in(Duration.ofMinutes(1)),
        element -> found.append(element.attr("href")));
    return found.toString();
  }
}
