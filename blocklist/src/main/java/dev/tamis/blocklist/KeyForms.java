package dev.tamis.blocklist;

import dev.tamis.blocklist.Blocklist.Form;
import java.util.ArrayList;
import java.util.List;

/**
 * Which forms of entries a set has, so that only those are looked for.
 *
 * @param addresses whether there are addresses
 * @param hosts whether there are hosts
 * @param wholeDomains bit n is set if a whole domain has n labels
 * @param subdomains bit n is set if a domain whose sub-domains are meant has n labels
 */
record KeyForms(boolean addresses, boolean hosts, long wholeDomains, long subdomains) {

  static final KeyForms NONE = new KeyForms(false, false, 0, 0);

  /** Returns the forms of this set with one more entry, this itself mostly. */
  KeyForms and(ListEntry entry) {
    return switch (entry.form()) {
      case ADDRESS -> addresses ? this : new KeyForms(true, hosts, wholeDomains, subdomains);
      case HOST -> hosts ? this : new KeyForms(addresses, true, wholeDomains, subdomains);
      case WHOLE_DOMAIN -> {
        long all = wholeDomains | bit(HostName.labels(entry.name()));
        yield all == wholeDomains ? this : new KeyForms(addresses, hosts, all, subdomains);
      }
      case SUBDOMAINS -> {
        long all = subdomains | bit(HostName.labels(entry.name()));
        yield all == subdomains ? this : new KeyForms(addresses, hosts, wholeDomains, all);
      }
    };
  }

  /** Returns the forms of both sets together. */
  KeyForms and(KeyForms other) {
    return new KeyForms(
        addresses || other.addresses,
        hosts || other.hosts,
        wholeDomains | other.wholeDomains,
        subdomains | other.subdomains);
  }

  private static long bit(int labels) {
    return labels <= ListEntry.MAX_LABELS ? 1L << labels : 0;
  }

  /** Returns the most keys that a query is looked up under. */
  int mostKeys(boolean ignoresTags) {
    return (addresses ? (ignoresTags ? 2 : 1) : 0)
        + (hosts ? 1 : 0)
        + Long.bitCount(wholeDomains)
        + Long.bitCount(subdomains);
  }

  /** Returns whether a key could be in the set. */
  boolean admit(Key key) {
    return switch (key.form()) {
      case ADDRESS -> addresses;
      case HOST -> hosts;
      case WHOLE_DOMAIN -> (wholeDomains & bit(key.labels())) != 0;
      case SUBDOMAINS -> (subdomains & bit(key.labels())) != 0;
    };
  }

  /** Returns what to look for, the most special first. */
  List<Key> keys(Subject subject, boolean ignoresTags) {
    List<Key> keys = new ArrayList<>();
    if (addresses) {
      subject.address().ifPresent(text -> keys.add(new Key(Form.ADDRESS, 0, text)));
      if (ignoresTags) {
        subject.untaggedAddress().ifPresent(text -> keys.add(new Key(Form.ADDRESS, 0, text)));
      }
    }
    String host = subject.host();
    if (hosts) {
      keys.add(new Key(Form.HOST, 0, host));
    }
    if ((wholeDomains | subdomains) != 0 && !HostName.isIp(host)) {
      addDomains(host, keys);
    }
    return keys;
  }

  private void addDomains(String host, List<Key> keys) {
    int labels = HostName.labels(host);
    for (int start = 0; labels > 0; start = host.indexOf('.', start) + 1, labels--) {
      if ((wholeDomains & bit(labels)) != 0) {
        keys.add(new Key(Form.WHOLE_DOMAIN, labels, "." + host.substring(start)));
      }
      if (start > 0 && (subdomains & bit(labels)) != 0) {
        keys.add(new Key(Form.SUBDOMAINS, labels, "*." + host.substring(start)));
      }
    }
  }

  /**
   * An entry that would match a query, to be looked up.
   *
   * @param form what such an entry matches
   * @param labels the labels of its name; 0 where that does not matter
   * @param text the entry
   */
  record Key(Form form, int labels, String text) {}
}
