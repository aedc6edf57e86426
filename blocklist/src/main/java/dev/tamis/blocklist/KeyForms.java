package dev.tamis.blocklist;

import dev.tamis.blocklist.Blocklist.Form;
import java.util.ArrayList;
import java.util.List;

/** Which forms of entries a set has, each of them with its size, so that only those are queried. */
final class KeyForms {

  /*
   * A bit for each form and size, in words of 64: the words and bits of docs/format.md. What a
   * query is looked up under at most is then a number of bits, which the fpp is divided by.
   */

  /** The word of the forms without sizes. */
  static final int KINDS = 0;

  /** The word of whole domains, bit n for n labels. */
  static final int WHOLE_DOMAINS = 1;

  /** The word of sub-domains, bit n for n labels of the domain that is above them. */
  static final int SUBDOMAINS = 2;

  /** The word of IPv4 networks, bit n for a prefix of n bits. */
  static final int V4_NETWORKS = 3;

  /** The first of two words of IPv6 networks, bit n for a prefix of n bits. */
  static final int V6_NETWORKS = 4;

  /** The word of URLs of one host, by the bits of {@link CanonicalUrl#pathBit}. */
  static final int URLS = 6;

  /** The word before those of the URLs of domains with 1 to 63 labels. */
  static final int DOMAIN_URLS = 6;

  static final int WORDS = DOMAIN_URLS + Long.SIZE;

  /** The bits of the first word. */
  static final int ADDRESSES_BIT = 0;

  static final int HOSTS_BIT = 1;

  static final KeyForms NONE = new KeyForms(new long[WORDS]);

  private final long[] words;
  private final long pathBits;

  KeyForms(long[] words) {
    this.words = words;
    long paths = 0;
    for (int i = URLS; i < WORDS; i++) {
      paths |= words[i];
    }
    this.pathBits = paths;
  }

  long word(int index) {
    return words[index];
  }

  /** Returns which of the words of the URLs of domains are not zero, bit n for n labels. */
  long domainUrlLabels() {
    long labels = 0;
    for (int i = 1; i < Long.SIZE; i++) {
      labels |= words[DOMAIN_URLS + i] == 0 ? 0 : 1L << i;
    }
    return labels;
  }

  static int place(int word, int bit) {
    return word * Long.SIZE + bit;
  }

  private boolean has(int place) {
    return ((words[place / Long.SIZE] >>> place) & 1) != 0;
  }

  /** Returns the forms of this set with one more entry, usually this itself. */
  KeyForms and(ListEntry entry) {
    int place = entry.place();
    if (has(place)) {
      return this;
    }
    long[] all = words.clone();
    all[place / Long.SIZE] |= 1L << place;
    return new KeyForms(all);
  }

  /** Returns the forms of both sets together. */
  KeyForms and(KeyForms other) {
    long[] all = words.clone();
    for (int i = 0; i < WORDS; i++) {
      all[i] |= other.words[i];
    }
    return new KeyForms(all);
  }

  /** Returns the most keys that a query of a kind is looked up under. */
  int mostKeys(QueryKind kind, boolean ignoresTags) {
    int keys = has(place(KINDS, HOSTS_BIT)) ? 1 : 0;
    if (kind.isUrl) {
      keys += Long.bitCount(words[URLS]);
    } else if (has(place(KINDS, ADDRESSES_BIT))) {
      keys += ignoresTags ? 2 : 1;
    }
    switch (kind.host) {
      case NAME -> {
        keys += Long.bitCount(words[WHOLE_DOMAINS]) + Long.bitCount(words[SUBDOMAINS]);
        for (int i = DOMAIN_URLS + 1; i < WORDS && kind.isUrl; i++) {
          keys += Long.bitCount(words[i]);
        }
      }
      case V4 -> keys += Long.bitCount(words[V4_NETWORKS]);
      case V6 -> keys += Long.bitCount(words[V6_NETWORKS]) + Long.bitCount(words[V6_NETWORKS + 1]);
    }
    return keys;
  }

  boolean admit(Key key) {
    return has(key.place());
  }

  /** Returns the keys to look up, the most specific first. */
  List<Key> keys(Subject subject, boolean ignoresTags) {
    List<Key> keys = new ArrayList<>();
    if (has(place(KINDS, ADDRESSES_BIT))) {
      subject.address().ifPresent(text -> addAddress(text, keys));
      if (ignoresTags) {
        subject.untaggedAddress().ifPresent(text -> addAddress(text, keys));
      }
    }
    CanonicalUrl url = subject.url();
    if (pathBits != 0 && url != null) {
      addUrls(url, keys);
    }
    String host = subject.host();
    if (has(place(KINDS, HOSTS_BIT))) {
      keys.add(new Key(Form.HOST, place(KINDS, HOSTS_BIT), host));
    }
    subject.ip().ifPresentOrElse(ip -> addNetworks(ip, keys), () -> addDomains(host, keys));
    return keys;
  }

  private static void addAddress(String text, List<Key> keys) {
    keys.add(new Key(Form.ADDRESS, place(KINDS, ADDRESSES_BIT), text));
  }

  private void addUrls(CanonicalUrl url, List<Key> keys) {
    List<CanonicalUrl.PathKey> paths = url.pathKeys(pathBits);
    String host = url.host();
    addUrls(Form.URL, URLS, url.authority(host), paths, keys);
    if (!HostName.isIp(host)) {
      int labels = HostName.labels(host);
      for (int start = 0; labels > 0; start = host.indexOf('.', start) + 1, labels--) {
        if (labels <= ListEntry.MAX_LABELS && words[DOMAIN_URLS + labels] != 0) {
          String authority = url.authority(host.substring(start));
          addUrls(Form.DOMAIN_URL, DOMAIN_URLS + labels, authority, paths, keys);
        }
      }
    }
  }

  private void addUrls(
      Form form, int word, String authority, List<CanonicalUrl.PathKey> paths, List<Key> keys) {
    for (CanonicalUrl.PathKey path : paths) {
      if (has(place(word, path.bit()))) {
        String name = authority + path.text();
        keys.add(new Key(form, place(word, path.bit()), ListEntry.text(form, name)));
      }
    }
  }

  private void addNetworks(IpAddress ip, List<Key> keys) {
    int word = ip.isV6() ? V6_NETWORKS : V4_NETWORKS;
    for (int prefixBits = ip.bits() - 1; prefixBits >= 0; prefixBits--) {
      if (has(place(word, prefixBits))) {
        String name = new IpAddress.Network(ip.masked(prefixBits), prefixBits).toString();
        keys.add(new Key(Form.NETWORK, place(word, prefixBits), name));
      }
    }
  }

  private void addDomains(String host, List<Key> keys) {
    if ((words[WHOLE_DOMAINS] | words[SUBDOMAINS]) == 0) {
      return;
    }
    int labels = HostName.labels(host);
    for (int start = 0; labels > 0; start = host.indexOf('.', start) + 1, labels--) {
      if (labels <= ListEntry.MAX_LABELS) {
        String name = host.substring(start);
        if (has(place(WHOLE_DOMAINS, labels))) {
          keys.add(new Key(Form.WHOLE_DOMAIN, place(WHOLE_DOMAINS, labels), "." + name));
        }
        if (start > 0 && has(place(SUBDOMAINS, labels))) {
          keys.add(new Key(Form.SUBDOMAINS, place(SUBDOMAINS, labels), "*." + name));
        }
      }
    }
  }

  /** An entry that would match a query, to be looked up; {@code place} is that of its form. */
  record Key(Form form, int place, String text) {}

  /** The kinds of queries that differ in how many keys they are looked up under at most. */
  enum QueryKind {
    ADDRESS_AT_NAME(false, Host.NAME),
    ADDRESS_AT_V4(false, Host.V4),
    ADDRESS_AT_V6(false, Host.V6),
    URL_AT_NAME(true, Host.NAME),
    URL_AT_V4(true, Host.V4),
    URL_AT_V6(true, Host.V6);

    private final boolean isUrl;
    private final Host host;

    QueryKind(boolean isUrl, Host host) {
      this.isUrl = isUrl;
      this.host = host;
    }

    private enum Host {
      NAME,
      V4,
      V6
    }
  }
}
