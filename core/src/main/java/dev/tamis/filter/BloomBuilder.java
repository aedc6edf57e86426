package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.FilterFullException;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import org.jspecify.annotations.Nullable;

/**
 * Settings that all filters with a Bloom filter's layouts have in common.
 *
 * <p>Each setter checks its own value at once; building checks that together they are enough: two
 * of expectedKeys, fpp, bits and hashes.
 *
 * @param <T> the type of key
 * @param <B> the type of builder
 */
public abstract sealed class BloomBuilder<T, B extends BloomBuilder<T, B>>
    extends FilterBuilder<T, B> permits BloomFilterBuilder, CountingBloomFilterBuilder {

  private final Sizing.Builder builder = Sizing.builder();
  private boolean refusing;
  private KeyTally.@Nullable Notice notice;

  BloomBuilder(KeyHasher<? super T> hasher) {
    super(hasher);
  }

  /** Sets n, the distinct keys expected; at least 1. */
  public B expectedKeys(long expectedKeys) {
    builder.expectedKeys(expectedKeys);
    return self();
  }

  /** Sets p, the false-positive probability once they are all in; strictly between 0 and 1. */
  public B fpp(double fpp) {
    builder.fpp(fpp);
    return self();
  }

  /** Sets where the bits of a key may be (default: the blocked layout that fits the fpp). */
  public B layout(Layout layout) {
    builder.layout(layout);
    return self();
  }

  /** Sets m, the most bits or counters the filter may have; overrides the computed number. */
  public B bits(long bits) {
    builder.bits(bits);
    return self();
  }

  /**
   * Sets k, the bits or counters of each key, in the layout's range; overrides the computed number.
   */
  public B hashes(int hashes) {
    builder.hashes(hashes);
    return self();
  }

  /**
   * Runs {@code action} once, in the thread whose put makes {@code acceptedKeys} reach {@code
   * keys}, at least 1. An exception it throws propagates from that put, after the key is in.
   */
  public B whenKeysReach(long keys, Runnable action) {
    Checks.atLeast("keys", keys, 1);
    this.notice = new KeyTally.Notice(keys, requireNonNull(action, "action"));
    return self();
  }

  /**
   * Makes a put of a new key beyond the expected number throw {@link FilterFullException}, and
   * change nothing; without this, the fpp rises. For keys from an attacker, who may send any
   * number. A filter read from bytes does not have this setting.
   */
  public B refuseWhenFull() {
    this.refusing = true;
    return self();
  }

  final Sizing sizing() {
    return builder.solve();
  }

  final KeyTally tally(Sizing sizing) {
    return new KeyTally(
        sizing.shape()::fpp,
        isThreadSafe(),
        notice,
        refusing ? sizing.expectedKeys() : KeyTally.NO_LIMIT);
  }
}
