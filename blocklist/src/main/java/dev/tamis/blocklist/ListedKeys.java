package dev.tamis.blocklist;

import dev.tamis.blocklist.Blocklist.Finding;
import dev.tamis.filter.FuseFilter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One list: a filter of its entries, and what is known of the filter's errors. */
final class ListedKeys {

  private final String name;
  private final KeyForms forms;
  private final FuseFilter<CharSequence> filter;
  private final long[] exceptions;
  private final @Nullable ExactHashes exact;

  /**
   * Puts the parts together.
   *
   * @param exceptions hashes that the filter affirms though none of its keys has them, ascending as
   *     signed numbers
   * @param exact the hashes of all keys, if they are to be had
   */
  ListedKeys(
      String name,
      KeyForms forms,
      FuseFilter<CharSequence> filter,
      long[] exceptions,
      @Nullable ExactHashes exact) {
    this.name = name;
    this.forms = forms;
    this.filter = filter;
    this.exceptions = exceptions;
    this.exact = exact;
  }

  String name() {
    return name;
  }

  KeyForms forms() {
    return forms;
  }

  FuseFilter<CharSequence> filter() {
    return filter;
  }

  long[] exceptions() {
    return exceptions;
  }

  @Nullable ExactHashes exact() {
    return exact;
  }

  /** Returns this list with more known about its filter. */
  ListedKeys with(long[] newExceptions, @Nullable ExactHashes newExact) {
    return new ListedKeys(name, forms, filter, newExceptions, newExact);
  }

  /** Returns whether the filter affirms a key, rightly or not. */
  boolean mightContain(KeyForms.Key key, long hash) {
    return forms.admit(key) && filter.mightContainHash(hash);
  }

  /** Returns the logarithm of the probability that a lookup of what is not listed says so. */
  double logOfRight() {
    return Math.log1p(
        -(exact == null ? filter.expectedFpp() : Math.scalb((double) exact.count(), -Long.SIZE)));
  }

  /** Classifies a positive of the filter. */
  Finding.Kind judge(long hash) {
    if (Arrays.binarySearch(exceptions, hash) >= 0) {
      return Finding.Kind.FALSE_POSITIVE;
    }
    if (exact == null) {
      return Finding.Kind.PROBABLY_LISTED;
    }
    return exact.contains(hash) ? Finding.Kind.LISTED : Finding.Kind.FALSE_POSITIVE;
  }
}
