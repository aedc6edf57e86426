package dev.tamis.blocklist;

import dev.tamis.blocklist.Blocklist.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads a line of a list: plain, of a hosts file, or of an ad blocker. */
final class ListLine {

  private static final Pattern COMMENT = Pattern.compile("\\s#.*");
  private static final Pattern SPACES = Pattern.compile("\\s+");

  /** Where hosts files send what they block. */
  private static final Set<String> NOWHERE = Set.of("0.0.0.0", "127.0.0.1", "::", "::1");

  /** The names that hosts files have for the host itself. */
  private static final Set<String> OWN_NAMES =
      Set.of(
          """
          0.0.0.0 broadcasthost ip6-allhosts ip6-allnodes ip6-allrouters ip6-localhost \
          ip6-localnet ip6-loopback ip6-mcastprefix local localhost localhost.localdomain\
          """
              .split(" ", -1));

  private ListLine() {}

  /**
   * Returns the entries in a line, none where it is blank or a comment.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static List<ListEntry> parse(String line) {
    String text = line.strip();
    if (text.isEmpty() || "#!".indexOf(text.charAt(0)) >= 0 || text.startsWith("[Adblock")) {
      return List.of();
    }
    if (text.indexOf('#') > 0) {
      text = COMMENT.matcher(text).replaceFirst("").strip();
    }
    if (Rule.isMeant(text)) {
      return List.of(Rule.parse(text));
    }
    String[] words = hasSpace(text) ? SPACES.split(text) : new String[] {text};
    return words.length == 1 ? List.of(ListEntry.parse(text)) : ofHosts(words, text);
  }

  /** Spares most lines the regular expression. */
  private static boolean hasSpace(String text) {
    return text.indexOf(' ') >= 0 || text.indexOf('\t') >= 0;
  }

  private static List<ListEntry> ofHosts(String[] words, String text) {
    List<ListEntry> entries = new ArrayList<>();
    for (String word : List.of(words).subList(1, words.length)) {
      if (!OWN_NAMES.contains(word.toLowerCase(Locale.ROOT))) {
        entries.add(new ListEntry(Form.HOST, HostName.canonical(word, text)));
      }
    }
    if (!entries.isEmpty() && !NOWHERE.contains(words[0])) {
      throw Refusal.of(text, "one entry on the line, or 0.0.0.0 and names as in a hosts file");
    }
    return entries;
  }

  /**
   * Reads a rule of an ad blocker, of those that name a domain or URLs at it and nothing else.
   *
   * <p>Such a rule matches what begins with its text. A set of keys cannot tell that of every
   * character, so a rule matches where its text ends at the end of the path, before its slash, or
   * before the query.
   *
   * @see <a href="https://adblockplus.org/filter-cheatsheet">Adblock Plus filters explained</a>
   */
  static final class Rule {

    private static final String EXPECTED =
        "a rule that names a domain or URLs and nothing else, ||example.com^ or"
            + " ||example.com/path^";

    /** Hides parts of pages; the signs of several ad blockers. */
    private static final Pattern COSMETIC = Pattern.compile("[^/]*(?:#[@?$%]*#|\\$\\$).*");

    /** What follows a dollar sign at the end; {@code $all} is for all requests. */
    private static final Pattern OPTIONS =
        Pattern.compile("(?i).*\\$~?[a-z0-9_-]+(?:=[^,]*)?(?:,~?[a-z0-9_-]+(?:=[^,]*)?)*");

    private static final String ALL = "$all";

    private Rule() {}

    /**
     * Returns whether a line is a rule of an ad blocker, of those that are entries or of others.
     */
    static boolean isMeant(String text) {
      return text.startsWith(ListEntry.RULE)
          || text.startsWith("@@")
          || text.startsWith("|")
          || (text.startsWith("/") && !CanonicalUrl.begins(text))
          || isCosmetic(text);
    }

    /** Returns whether a rule or a URL ends as rules with options do. */
    static boolean hasOptions(String text) {
      return text.indexOf('$') >= 0 && OPTIONS.matcher(text).matches();
    }

    /** Spares most lines the regular expression. */
    private static boolean isCosmetic(String text) {
      return (text.indexOf('#') >= 0 || text.contains("$$")) && COSMETIC.matcher(text).matches();
    }

    /**
     * Reads a rule.
     *
     * @throws IllegalArgumentException if it says more than an entry can
     */
    static ListEntry parse(String text) {
      if (text.startsWith("@@")) {
        throw refused(BadLineReason.EXCEPTION, text, "; what to allow goes to an allow file");
      }
      if (isCosmetic(text)) {
        throw refused(BadLineReason.COSMETIC, text, "; this one hides a part of a page");
      }
      if (!text.startsWith(ListEntry.RULE)) {
        throw refused(BadLineReason.PATTERN, text, "; this one is a pattern");
      }
      String rule = text.substring(ListEntry.RULE.length());
      rule = rule.endsWith(ALL) ? rule.substring(0, rule.length() - ALL.length()) : rule;
      if (hasOptions(rule)) {
        throw refused(BadLineReason.OPTIONS, text, "; of the options only $all is known");
      }
      rule =
          rule.endsWith("/*") || rule.endsWith("^") ? rule.substring(0, rule.length() - 1) : rule;
      if (rule.indexOf('*') >= 0) {
        throw refused(BadLineReason.WILDCARD, text, "; this one has a wildcard");
      }
      if (rule.indexOf('^') >= 0 || rule.indexOf('|') >= 0) {
        throw refused(BadLineReason.PATTERN, text, "; this one is a pattern");
      }
      return entry(rule, text);
    }

    private static ListEntry entry(String rule, String line) {
      int authorityEnd = 0;
      while (authorityEnd < rule.length() && "/\\?#".indexOf(rule.charAt(authorityEnd)) < 0) {
        authorityEnd++;
      }
      String authority = rule.substring(0, authorityEnd);
      if (authority.indexOf('@') >= 0) {
        throw Refusal.of(line, EXPECTED);
      }
      boolean hasPort = authority.lastIndexOf(':') > authority.lastIndexOf(']');
      if (hasPort || authorityEnd < rule.length()) {
        return ListEntry.url(Form.DOMAIN_URL, rule, line);
      }
      String name = HostName.canonical(authority, line);
      return HostName.isIp(name)
          ? new ListEntry(Form.HOST, name)
          : ListEntry.domain(Form.WHOLE_DOMAIN, name, line);
    }

    private static IllegalArgumentException refused(
        BadLineReason reason, String text, String because) {
      return Refusal.of(reason, text, EXPECTED + because);
    }
  }
}
