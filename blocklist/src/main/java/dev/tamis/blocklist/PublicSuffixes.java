package dev.tamis.blocklist;

import crawlercommons.domains.EffectiveTldFinder;
import crawlercommons.domains.EffectiveTldFinder.EffectiveTLD;

/**
 * The names under which anybody can register one, such as {@code co.uk}.
 *
 * @see <a href="https://publicsuffix.org">The public suffix list</a>, of which this is the part of
 *     the registries; what companies let, such as {@code github.io}, can be blocked
 */
final class PublicSuffixes {

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
