package dev.tamis.blocklist;

import crawlercommons.domains.EffectiveTldFinder;
import crawlercommons.domains.EffectiveTldFinder.EffectiveTLD;
import dev.tamis.blocklist.Blocklist.Form;

/**
 * One entry of a list.
 *
 * @param form what it matches
 * @param name the address or host, in canonical form
 */
record ListEntry(Form form, String name) {

  /** A query is looked up under at most so many names above it. */
  static final int MAX_LABELS = Long.SIZE - 1;

  private static final String ANY = "*";

  /**
   * Reads an entry as a list has it, without a check for public suffixes.
   *
   * @throws IllegalArgumentException if it is none
   */
  static ListEntry parse(String text) {
    int at = text.lastIndexOf('@');
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
    return new ListEntry(Form.HOST, HostName.canonical(text, text));
  }

  private static ListEntry domain(Form form, String text, String line) {
    String name = HostName.canonical(text, line);
    if (HostName.isIp(name)) {
      throw Refusal.of(line, "an IP address alone, as nothing is below it");
    }
    if (HostName.labels(name) > MAX_LABELS) {
      throw Refusal.of(line, "a domain with at most " + MAX_LABELS + " dots");
    }
    return new ListEntry(form, name);
  }

  /** Returns whether it would block names of many owners. */
  boolean isPublicSuffix() {
    return form != Form.ADDRESS && !HostName.isIp(name) && PublicSuffixes.contains(name);
  }

  /** Returns the entry as a list has it, which is what filters hold. */
  String text() {
    return switch (form) {
      case ADDRESS, HOST -> name;
      case WHOLE_DOMAIN -> "." + name;
      case SUBDOMAINS -> "*." + name;
    };
  }

  /**
   * The names under which anybody can register one, such as {@code co.uk}.
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
