package dev.tamis.blocklist;

import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An address, a host, an IP address or a URL to look up, in canonical form.
 *
 * @param local what is before the at sign, if this is an address
 * @param url the URL, if this is one
 * @param host the host, which an address and a URL have too
 */
record Subject(@Nullable String local, @Nullable CanonicalUrl url, String host) {
  private static final int MAX_LOCAL_CHARS = 256;
  private static final String EXPECTED = "an address such as user@example.com or a host name";

  /** How RFC 5321 writes IPv6 after the at sign. */
  private static final String V6_LITERAL = "[IPv6:";

  /**
   * Reads a URL, an address, which has an at sign, or a host.
   *
   * @throws IllegalArgumentException if it is neither
   */
  static Subject parse(String text) {
    String stripped = text.strip();
    if (CanonicalUrl.begins(stripped)) {
      return ofUrl(stripped);
    }
    if (stripped.startsWith(ListEntry.RULE)) {
      throw Refusal.of(text, EXPECTED + ", and not a rule");
    }
    int at = text.lastIndexOf('@');
    if (text.indexOf('/', at + 1) >= 0) {
      if (IpAddress.Network.isMeant(stripped)) {
        throw Refusal.of(
            BadLineReason.NETWORK,
            text,
            "an address, as a network is no query, or a host or a URL");
      }
      return ofUrl(stripped);
    }
    return at < 0 ? new Subject(null, null, HostName.canonical(text, text)) : ofAddress(text, at);
  }

  private static Subject ofUrl(String text) {
    CanonicalUrl url = CanonicalUrl.parse(text, text);
    return new Subject(null, url, url.host());
  }

  private static Subject ofAddress(String text, int at) {
    String host = text.substring(at + 1);
    if (host.regionMatches(true, 0, V6_LITERAL, 0, V6_LITERAL.length())) {
      host = "[" + host.substring(V6_LITERAL.length());
    }
    return new Subject(local(text.substring(0, at), text), null, HostName.canonical(host, text));
  }

  private static String local(String text, String address) {
    boolean ascii = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c == 0x7F || Character.isWhitespace(c) || Character.isISOControl(c)) {
        throw Refusal.of(address, EXPECTED + ", without spaces");
      }
      ascii &= c < 0x80;
    }
    // lower case may undo the composition, so that comes last
    String lower = text.toLowerCase(Locale.ROOT);
    String local = ascii ? lower : Normalizer.normalize(lower, Normalizer.Form.NFC);
    if (local.isEmpty() || local.length() > MAX_LOCAL_CHARS) {
      throw Refusal.of(address, EXPECTED + ", with 1 to 256 characters before the at sign");
    }
    return local;
  }

  /** Returns the address, if this is one. */
  Optional<String> address() {
    return local == null ? Optional.empty() : Optional.of(toString());
  }

  /** Returns the address without what follows a plus sign before the at sign, if there is such. */
  Optional<String> untaggedAddress() {
    int plus = local == null ? -1 : local.indexOf('+');
    return local == null || plus <= 0
        ? Optional.empty()
        : Optional.of(local.substring(0, plus) + "@" + host);
  }

  /** Returns the host as an IP address, or empty if it is a name. */
  Optional<IpAddress> ip() {
    return HostName.isIp(host) ? IpAddress.parse(host) : Optional.empty();
  }

  /** Returns the whole in canonical form, as an entry that matches it. */
  @Override
  public String toString() {
    if (url != null) {
      return ListEntry.text(Blocklist.Form.URL, url.text());
    }
    return local == null ? host : local + "@" + host;
  }
}
