package dev.tamis.blocklist;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/**
 * An HTTP URL as entries and queries are compared: without scheme, user and fragment.
 *
 * @param host a host name or an IP address in canonical form
 * @param port a colon and the port, empty for 80 and 443
 * @param path in lower case, without dot segments, with no other escapes than needed
 * @param query in lower case, with its question mark; empty if there is none
 * @see <a href="https://url.spec.whatwg.org/">WHATWG URL Standard</a>
 */
record CanonicalUrl(String host, String port, String path, String query) {

  /** The most slashes of a path without a query that is an entry. */
  static final int MAX_SLASHES = 31;

  /** The bit of a path with its query. */
  static final int QUERY_BIT = 0;

  /** The bit of a file is that of a directory with as many slashes, plus this, which none has. */
  static final int FILE_BIT = 32;

  /** The bits that there are: slashes are at least one. */
  static final long PATH_BITS = ~(1L << FILE_BIT);

  private static final Pattern SCHEME = Pattern.compile("(?i)https?:[/\\\\]*|[/\\\\]{2}");
  private static final Pattern OTHER_SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://");
  private static final Pattern UNPAIRED = Pattern.compile("\\p{Cs}");
  private static final Pattern BREAKS = Pattern.compile("[\\t\\n\\r]");
  private static final Pattern PORT = Pattern.compile("[0-9]{0,9}");
  private static final int MAX_PORT = 65_535;

  /** An escape, a percent sign that begins none, or what rules of ad blockers use as a sign. */
  private static final Pattern ESCAPED = Pattern.compile("%[0-9a-fA-F]{2}|[%$*^|]");

  private static final Pattern UNRESERVED = Pattern.compile("[a-zA-Z0-9._~-]");

  private static final String EXPECTED = "a URL such as http://example.com/path";

  /** Returns whether a text begins as a URL does, or as one without its scheme. */
  static boolean begins(String text) {
    boolean mayBe = text.indexOf(':') >= 0 || text.startsWith("//") || text.startsWith("\\\\");
    return mayBe && (SCHEME.matcher(text).lookingAt() || OTHER_SCHEME.matcher(text).lookingAt());
  }

  /**
   * Reads a URL, as browsers do, with or without its scheme.
   *
   * @param line what it is a part of, for the message
   * @throws IllegalArgumentException if it is malformed, or neither HTTP nor HTTPS
   */
  static CanonicalUrl parse(String text, String line) {
    String joined = BREAKS.matcher(text.trim()).replaceAll("");
    // where the parser differs from browsers: it drops form feeds, and makes these question marks
    String clean = UNPAIRED.matcher(joined.replace("\f", "%0C")).replaceAll("\uFFFD");
    Matcher scheme = SCHEME.matcher(clean);
    boolean hasScheme = scheme.lookingAt();
    if (!hasScheme && OTHER_SCHEME.matcher(clean).lookingAt()) {
      throw refused(line, EXPECTED + " with http or https");
    }
    int start = hasScheme ? scheme.end() : 0;
    int end = start;
    while (end < clean.length() && "/\\?#".indexOf(clean.charAt(end)) < 0) {
      end++;
    }
    String authority = clean.substring(start, end);
    authority = authority.substring(authority.lastIndexOf('@') + 1);
    int colon = authority.lastIndexOf(':');
    int hostEnd = colon > authority.lastIndexOf(']') ? colon : authority.length();
    String host = HostName.canonical(unescaped(authority.substring(0, hostEnd), line), line);
    HttpUrl url = HttpUrl.get("http://host" + clean.substring(end));
    String query = url.encodedQuery();
    return new CanonicalUrl(
        host,
        port(authority.substring(hostEnd), line),
        canonical(url.encodedPath()),
        query == null || query.isEmpty() ? "" : "?" + canonical(query));
  }

  private static String port(String text, String line) {
    String digits = text.isEmpty() ? "" : text.substring(1);
    if (!PORT.matcher(digits).matches()
        || (!digits.isEmpty() && Integer.parseInt(digits) > MAX_PORT)) {
      throw refused(line, EXPECTED + " with a port of at most " + MAX_PORT);
    }
    int port = digits.isEmpty() ? HttpUrl.defaultPort("http") : Integer.parseInt(digits);
    boolean usual = port == HttpUrl.defaultPort("http") || port == HttpUrl.defaultPort("https");
    return usual ? "" : ":" + port;
  }

  private static String unescaped(String host, String line) {
    try {
      return URLDecoder.decode(host.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException e) {
      throw refused(line, EXPECTED);
    }
  }

  /**
   * Decodes what need not be escaped, and escapes what rules use as signs, so that the text can
   * stand in a rule. Case makes no difference, as in rules.
   */
  private static String canonical(String encoded) {
    return ESCAPED.matcher(encoded).replaceAll(CanonicalUrl::escape).toLowerCase(Locale.ROOT);
  }

  private static String escape(MatchResult found) {
    String text = found.group();
    if (text.length() == 1) {
      return "%" + Integer.toHexString(text.charAt(0));
    }
    String decoded = String.valueOf((char) Integer.parseInt(text, 1, text.length(), 16));
    return UNRESERVED.matcher(decoded).matches() ? decoded : text;
  }

  private static IllegalArgumentException refused(String line, String expected) {
    return Refusal.of(BadLineReason.URL, line, expected);
  }

  /** Returns a host, a name above it or an IP address, as it stands before the path. */
  String authority(String hostOrAbove) {
    return (hostOrAbove.indexOf(':') >= 0 ? "[" + hostOrAbove + "]" : hostOrAbove) + port;
  }

  /** Returns host, port, path and query. */
  String text() {
    return authority(host) + path + query;
  }

  /** Returns the host in {@link #text}. */
  static String hostOf(String text) {
    String authority = text.substring(0, text.indexOf('/'));
    return authority.startsWith("[")
        ? authority.substring(1, authority.indexOf(']'))
        : authority.substring(0, (authority + ":").indexOf(':'));
  }

  /** Returns the bit of {@link #text} as an entry: what is matched by how many slashes. */
  static int pathBit(String text) {
    if (text.indexOf('?') >= 0) {
      return QUERY_BIT;
    }
    int slashes = slashes(text);
    return text.endsWith("/") ? slashes : FILE_BIT + slashes;
  }

  private static int slashes(String text) {
    return (int) text.chars().filter(c -> c == '/').count();
  }

  /** Returns whether this can be an entry. */
  boolean isShallow() {
    return !query.isEmpty() || slashes(path) <= MAX_SLASHES;
  }

  /**
   * Returns the paths of entries that match, the most special first: the whole with the query and
   * without it, and each directory above.
   *
   * @param bits those that entries have
   */
  List<PathKey> pathKeys(long bits) {
    List<PathKey> keys = new ArrayList<>();
    int slashes = 0;
    for (int i = 0; i < path.length() && slashes <= MAX_SLASHES; i++) {
      if (path.charAt(i) == '/') {
        if (i > 0 && path.charAt(i - 1) != '/') {
          add(path.substring(0, i), FILE_BIT + slashes, bits, keys);
        }
        if (++slashes <= MAX_SLASHES) {
          add(path.substring(0, i + 1), slashes, bits, keys);
        }
      }
    }
    if (!path.endsWith("/") && slashes <= MAX_SLASHES) {
      add(path, FILE_BIT + slashes, bits, keys);
    }
    if (!query.isEmpty()) {
      add(path + query, QUERY_BIT, bits, keys);
    }
    Collections.reverse(keys);
    return keys;
  }

  private static void add(String text, int bit, long bits, List<PathKey> keys) {
    if (((bits >>> bit) & 1) != 0) {
      keys.add(new PathKey(text, bit));
    }
  }

  /** The path and query of an entry that would match, and its {@link #pathBit}. */
  record PathKey(String text, int bit) {}
}
