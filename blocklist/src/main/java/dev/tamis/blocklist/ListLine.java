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
          "0.0.0.0",
          "broadcasthost",
          "ip6-allhosts",
          "ip6-allnodes",
          "ip6-allrouters",
          "ip6-localhost",
          "ip6-localnet",
          "ip6-loopback",
          "ip6-mcastprefix",
          "local",
          "localhost",
          "localhost.localdomain");

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
    if (ListRule.isMeant(text)) {
      return List.of(ListRule.parse(text));
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
}
