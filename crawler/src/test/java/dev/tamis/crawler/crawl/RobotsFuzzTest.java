package dev.tamis.crawler.crawl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.fuzz.Pieces;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Any robots.txt is rules; where its lines are regular ones, those that RFC 9309 says. */
class RobotsFuzzTest {

  private static final URI FILE = URI.create("http://h/robots.txt");
  private static final String[] PATHS = {"/", "/x", "/y", "/xy", "/x/", "/x/y", "/y/x/y", "/xx/y"};
  private static final int MAX_SHIFT = 15;
  private static final int MAX_COMPARED = 400;

  private static final Pieces LINES =
      Pieces.words(
          """
          User-agent:␠a\n User-agent:␠b\n User-agent:␠*\n user-agent: Disallow:␠/ Disallow:␠/x\n \
          Disallow:␠/*y$\n Disallow:␠/\n Disallow: Allow:␠/ Allow:␠/x/\n Allow:␠/y\n allow: \n \
          \r\n \r * $ / x y # ␠ \t \ufeff %2F %78 % ? Crawl-delay:␠ \
          Crawl-delay:␠99999999999999999999\n Crawl-delay:␠-1\n Crawl-delay:␠0.5\n \
          Sitemap:␠http://h/s\n Host:␠ Noindex:␠/\n <html> \u00e9 \u0000\
          """,
          "*a".repeat(50), "/x".repeat(200));

  private static final Pattern LINE =
      Pattern.compile("(?i)(?:(user-agent): ([ab*])|(allow|disallow): (/(?!/)[xy/*]*\\$?)|)");

  @FuzzTest(maxDuration = "10m")
  void anyFileIsRules(byte[] bytes) {
    if (bytes.length == 0) {
      return;
    }
    String once = LINES.text(bytes, 1);
    int shift = bytes[0];
    String file = shift < 0 || shift > MAX_SHIFT ? once : once.repeat(times(shift, once.length()));
    byte[] content = file.getBytes(UTF_8);
    InputBudget.check(content.length, () -> check(content, file));
  }

  private static int times(int shift, int length) {
    return Math.max(1, Math.min(1 << shift, Robots.MAX_BYTES / 5 / Math.max(1, length)));
  }

  private static void check(byte[] content, String file) {
    RobotsFile.Rules rules = RobotsFile.Rules.parse(FILE, content, "a");
    assertThat(rules.crawlDelay().isNegative()).isFalse();
    for (String path : PATHS) {
      boolean isAllowed = rules.allow("http://h" + path);
      if (!file.toLowerCase(Locale.ROOT).contains("d")) { // the parser knows misspellings
        assertThat(isAllowed).as("nothing is disallowed in %s", file).isTrue();
      }
      if (content.length <= MAX_COMPARED && isRegular(file)) {
        assertThat(isAllowed).as("%s in %s", path, file).isEqualTo(isAllowed(file, path));
      }
    }
  }

  private static boolean isRegular(String file) {
    return file.lines().allMatch(line -> LINE.matcher(line).matches()) && file.indexOf('\r') < 0;
  }

  /** Decides as section 2.2 of RFC 9309 does: all groups of the agent, the longest match. */
  private static boolean isAllowed(String file, String path) {
    List<Rule> own = rulesOf("a", file);
    List<Rule> rules = names(file).contains("a") ? own : rulesOf("*", file);
    boolean isAllowed = true;
    int longest = -1;
    for (Rule rule : rules) {
      int length = rule.pattern.length();
      if (rule.matches(path) && (length > longest || (length == longest && rule.allows))) {
        longest = length;
        isAllowed = rule.allows;
      }
    }
    return isAllowed;
  }

  private static List<String> names(String file) {
    return file.lines()
        .map(LINE::matcher)
        .filter(line -> line.matches() && line.group(1) != null)
        .map(line -> line.group(2))
        .toList();
  }

  private static List<Rule> rulesOf(String agent, String file) {
    List<Rule> rules = new ArrayList<>();
    List<String> group = new ArrayList<>();
    boolean hasRules = false;
    for (String text : file.lines().toList()) {
      Matcher line = LINE.matcher(text);
      if (!line.matches() || text.isEmpty()) {
        continue;
      }
      if (line.group(1) != null) {
        if (hasRules) {
          group.clear();
          hasRules = false;
        }
        group.add(line.group(2));
      } else {
        hasRules = true;
        if (group.contains(agent)) {
          rules.add(new Rule(line.group(3).equalsIgnoreCase("allow"), line.group(4)));
        }
      }
    }
    return rules;
  }

  /** A line with a path. */
  private record Rule(boolean allows, String pattern) {
    boolean matches(String path) {
      boolean isWhole = pattern.endsWith("$");
      String start = isWhole ? pattern.substring(0, pattern.length() - 1) : pattern;
      String regex = start.replaceAll("\\*+", ".*") + (isWhole ? "" : ".*");
      return path.matches(regex);
    }
  }
}
