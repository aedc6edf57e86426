package dev.tamis.crawler.queue;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * An absolute HTTP or HTTPS URL, parsed as browsers do.
 *
 * @see <a href="https://url.spec.whatwg.org/">WHATWG URL Standard</a>
 */
public final class WebUrl {

  private static final Pattern BREAK = Pattern.compile("[\t\n\r]");
  private static final Pattern UNPAIRED = Pattern.compile("\\p{Cs}");
  private static final Pattern ABSOLUTE = Pattern.compile("(?i)https?:[/\\\\]{2}[^/\\\\]");

  /**
   * Names as section 3.2.2 of RFC 3986 has them, without escapes, and IPv6 addresses. The parser
   * lets more pass, which it drops when it makes a URI: the request would go to another host.
   */
  private static final Pattern HOST =
      Pattern.compile("[a-z0-9._~!$&'()*+,;=-]+|[0-9a-f.]*:[0-9a-f:.]*");

  /** A last label of decimal or hexadecimal digits. */
  private static final Pattern NUMBER = Pattern.compile("(?:^|\\.)(?:[0-9]+|0x[0-9a-f]*)\\.?$");

  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");

  private static final Pattern ESCAPE = Pattern.compile("%[0-9a-fA-F]{2}");
  private static final Pattern UNRESERVED = Pattern.compile("[a-zA-Z0-9._~-]");

  private final HttpUrl url;

  private WebUrl(HttpUrl url) {
    this.url = url;
  }

  /** Parses an absolute URL; empty if it is malformed, or neither HTTP nor HTTPS. */
  public static Optional<WebUrl> of(String text) {
    String line = cleaned(text);
    // browsers mend "http:host" and "http:///host" too
    return ABSOLUTE.matcher(line).lookingAt() ? checked(HttpUrl.parse(line)) : Optional.empty();
  }

  /**
   * Parses a reference found on the page with this URL; empty if it is malformed, or neither HTTP
   * nor HTTPS.
   */
  public Optional<WebUrl> resolve(String reference) {
    return checked(url.resolve(cleaned(reference)));
  }

  /**
   * Removes what the standard does: controls and spaces around a URL, breaks anywhere. Where the
   * parser differs, which drops form feeds and makes unpaired surrogates {@code ?}, replaces them.
   */
  private static String cleaned(String text) {
    String line = text.trim();
    return line.chars().anyMatch(c -> c < ' ' || Character.isSurrogate((char) c))
        ? UNPAIRED
            .matcher(BREAK.matcher(line).replaceAll("").replace("\f", "%0C"))
            .replaceAll("\uFFFD")
        : line;
  }

  /**
   * Refuses hosts that the parser lets pass: those with characters that no host has, and numbers
   * that are no IPv4 address of four decimal parts, which systems read in different ways.
   */
  private static Optional<WebUrl> checked(@Nullable HttpUrl parsed) {
    if (parsed == null) {
      return Optional.empty();
    }
    String host = parsed.host();
    boolean isForbidden = !HOST.matcher(host).matches();
    boolean isNumber = NUMBER.matcher(host).find() && !IPV4.matcher(host).matches();
    return isForbidden || isNumber ? Optional.empty() : Optional.of(new WebUrl(parsed));
  }

  /**
   * Returns the URL to request: as it was found, without its fragment, user and password, and with
   * no other escapes than those it came with and those that a URI needs.
   */
  public URI toUri() {
    return url.newBuilder().username("").password("").fragment(null).build().uri();
  }

  /** Returns the normal form, which is the same for equivalent URLs, and its own normal form. */
  String normalForm() {
    String text = url.toString();
    int fragment = text.indexOf('#');
    int end = fragment < 0 ? text.length() : fragment;
    int query = text.indexOf('?');
    int pathEnd = query < 0 || query > end ? end : query;
    int pathStart = text.indexOf('/', url.scheme().length() + "://".length());
    return text.substring(0, pathStart)
        + withNeededEscapes(text.substring(pathStart, pathEnd))
        + text.substring(pathEnd, end);
  }

  /**
   * Decodes what need not be escaped, and writes the other escapes in capitals: sections 6.2.2.1
   * and 6.2.2.2. There is no dot segment left that this could bring out.
   */
  private static String withNeededEscapes(String path) {
    return ESCAPE.matcher(path).replaceAll(escape -> unescaped(escape.group()));
  }

  private static String unescaped(String escape) {
    char c = (char) Integer.parseInt(escape, 1, escape.length(), 16);
    return UNRESERVED.matcher(String.valueOf(c)).matches()
        ? String.valueOf(c)
        : escape.toUpperCase(Locale.ROOT);
  }

  /** Returns the URL as it was found, in the spelling of the standard. */
  @Override
  public String toString() {
    return url.toString();
  }
}
