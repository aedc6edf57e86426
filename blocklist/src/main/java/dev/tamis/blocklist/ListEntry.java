package dev.tamis.blocklist;

import crawlercommons.domains.EffectiveTldFinder;
import crawlercommons.domains.EffectiveTldFinder.EffectiveTLD;
import dev.tamis.blocklist.Blocklist.Form;

/**
 * One entry of a list.
 *
 * @param form what it matches
 * @param name the address, host, network or URL, in canonical form; a URL begins with its host
 */
record ListEntry(Form form, String name) {

  /** The most labels of a domain that is an entry. */
  static final int MAX_LABELS = Long.SIZE - 1;

  private static final String ANY = "*";

  /** What a domain's rule begins with, in the notation of ad blockers. */
  static final String RULE = "||";

  private static final String ANY_SCHEME = "//";

  /**
   * Reads an entry as a list has it, without a check for public suffixes.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static ListEntry parse(String text) {
    if (text.startsWith(RULE)) {
      return ListLine.Rule.parse(text);
    }
    String stripped = text.strip(); // as a query is
    if (CanonicalUrl.begins(stripped)) {
      return url(Form.URL, stripped, text);
    }
    int at = text.lastIndexOf('@');
    if (text.indexOf('/', at + 1) >= 0) {
      return text.startsWith("/") ? ListLine.Rule.parse(text) : networkOrUrl(text);
    }
    if (at > 0 && !text.substring(0, at).equals(ANY)) {
      return new ListEntry(Form.ADDRESS, Subject.parse(text).toString());
    }
    if (at >= 0) {
      return new ListEntry(Form.HOST, HostName.canonical(text.substring(at + 1), text));
    }
    if (text.startsWith(".")) {
      return domain(Form.WHOLE_DOMAIN, text.substring(1), text);
    }
    if (text.startsWith("*.")) {
      return domain(Form.SUBDOMAINS, text.substring(2), text);
    }
    if (text.indexOf('*') >= 0) {
      throw Refusal.of(BadLineReason.WILDCARD, text, "a wildcard only as in *.example.com");
    }
    return new ListEntry(Form.HOST, HostName.canonical(text, text));
  }

  private static ListEntry networkOrUrl(String text) {
    if (!IpAddress.Network.isMeant(text)) {
      return url(Form.URL, text, text);
    }
    IpAddress.Network network = IpAddress.Network.parse(text);
    return network.isAddress()
        ? new ListEntry(Form.HOST, network.address().toString())
        : new ListEntry(Form.NETWORK, network.toString());
  }

  /** Returns the entry of a URL, or of one at a domain and all below it. */
  static ListEntry url(Form form, String text, String line) {
    if (ListLine.Rule.hasOptions(text)) {
      throw Refusal.of(BadLineReason.OPTIONS, line, "a URL without options, or %24 in it for $");
    }
    if (text.indexOf('*') >= 0) {
      throw Refusal.of(BadLineReason.WILDCARD, line, "a URL without a wildcard");
    }
    if (text.indexOf('#') >= 0) {
      throw Refusal.of(BadLineReason.URL, line, "a URL without a fragment, which no server sees");
    }
    CanonicalUrl url = CanonicalUrl.parse(text, line);
    if (!url.isShallow()) {
      throw Refusal.of(
          BadLineReason.URL, line, "a path of at most " + CanonicalUrl.MAX_SLASHES + " slashes");
    }
    if (form == Form.URL || HostName.isIp(url.host())) {
      return new ListEntry(Form.URL, url.text());
    }
    requireFewLabels(url.host(), line);
    return new ListEntry(form, url.text());
  }

  /** Returns the entry of a domain. */
  static ListEntry domain(Form form, String text, String line) {
    String name = HostName.canonical(text, line);
    if (HostName.isIp(name)) {
      throw Refusal.of(line, "an IP address alone, as nothing is below it");
    }
    requireFewLabels(name, line);
    return new ListEntry(form, name);
  }

  private static void requireFewLabels(String name, String line) {
    if (HostName.labels(name) > MAX_LABELS) {
      throw Refusal.of(line, "a domain with at most " + MAX_LABELS + " labels");
    }
  }

  /**
   * Checks that this does not block what belongs to many owners.
   *
   * @throws IllegalArgumentException if it does
   */
  void requireNarrow(String line) {
    if (form == Form.NETWORK && prefixBits() == 0) {
      throw Refusal.of(BadLineReason.TOO_WIDE, line, "a network of less than all addresses");
    }
    if (isPublicSuffix()) {
      throw Refusal.of(
          BadLineReason.TOO_WIDE, line, "a name below '" + host() + "', a public suffix");
    }
  }

  /** Returns whether it would block names of many owners. */
  boolean isPublicSuffix() {
    return form != Form.ADDRESS
        && form != Form.NETWORK
        && !HostName.isIp(host())
        && PublicSuffixes.contains(host());
  }

  private String host() {
    return form == Form.URL || form == Form.DOMAIN_URL ? CanonicalUrl.hostOf(name) : name;
  }

  private int prefixBits() {
    return Integer.parseInt(name, name.indexOf('/') + 1, name.length(), 10);
  }

  /** Returns the bit of its form and size in {@link KeyForms}. */
  int place() {
    return switch (form) {
      case ADDRESS -> KeyForms.place(KeyForms.KINDS, KeyForms.ADDRESSES_BIT);
      case HOST -> KeyForms.place(KeyForms.KINDS, KeyForms.HOSTS_BIT);
      case WHOLE_DOMAIN -> KeyForms.place(KeyForms.WHOLE_DOMAINS, HostName.labels(name));
      case SUBDOMAINS -> KeyForms.place(KeyForms.SUBDOMAINS, HostName.labels(name));
      case NETWORK ->
          KeyForms.place(
              name.indexOf(':') >= 0 ? KeyForms.V6_NETWORKS : KeyForms.V4_NETWORKS, prefixBits());
      case URL -> KeyForms.place(KeyForms.URLS, CanonicalUrl.pathBit(name));
      case DOMAIN_URL ->
          KeyForms.place(
              KeyForms.DOMAIN_URLS + HostName.labels(host()), CanonicalUrl.pathBit(name));
    };
  }

  /** Returns the entry as a list has it, which is what filters hold. */
  String text() {
    return text(form, name);
  }

  /** Returns an entry as a list has it. */
  static String text(Form form, String name) {
    return switch (form) {
      case ADDRESS, HOST, NETWORK -> name;
      case WHOLE_DOMAIN -> "." + name;
      case SUBDOMAINS -> "*." + name;
      case URL -> ANY_SCHEME + name;
      case DOMAIN_URL -> RULE + name;
    };
  }

  /**
   * Public suffixes, under which names are registered, such as {@code co.uk}.
   *
   * @see <a href="https://publicsuffix.org">The public suffix list</a>, of which this is the part
   *     of the registries; what companies let, such as {@code github.io}, can be blocked
   */
  private static final class PublicSuffixes {

    private PublicSuffixes() {}

    /** Returns whether a canonical name is such, or all names below it are. */
    static boolean contains(String name) {
      return name.indexOf('.') < 0 || isListed(name) || isListed("a." + name);
    }

    private static boolean isListed(String name) {
      if (!EffectiveTldFinder.getInstance().isConfigured()) { // it only logs what went wrong
        throw new IllegalStateException("crawler-commons has not found its public suffix list");
      }
      EffectiveTLD suffix = EffectiveTldFinder.getEffectiveTLD(name, true);
      return suffix != null && !suffix.isException() && suffix.getDomain().equals(name);
    }
  }
}
