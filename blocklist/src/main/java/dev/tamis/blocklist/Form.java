package dev.tamis.blocklist;

/** What an entry of a list matches. */
public enum Form {
  /** One address: {@code user@example.com}. */
  ADDRESS,

  /** One host, and every address at it: {@code example.com}. */
  HOST,

  /** A domain and all below it, and every address at any of them: {@code .example.com}. */
  WHOLE_DOMAIN,

  /** All that is below a domain, not the domain itself: {@code *.example.com}. */
  SUBDOMAINS
}
