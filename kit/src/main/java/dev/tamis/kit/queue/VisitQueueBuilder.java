package dev.tamis.kit.queue;

import static java.util.Objects.requireNonNull;

import dev.tamis.KeyHasher;
import dev.tamis.MutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.h2.mvstore.MVStore;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link VisitQueue}: {@link #expectedKeys} and {@link #fpp} are required. Each
 * setter checks its own value at once.
 */
public final class VisitQueueBuilder {

  /** The most bytes a URL may have unless told otherwise: what common servers take. */
  public static final int DEFAULT_MAX_URL_BYTES = 8192;

  /** The most bytes that a URL can be allowed to have. */
  public static final int LARGEST_MAX_URL_BYTES = 1 << 20;

  /** How long a lease lasts unless told otherwise. */
  public static final Duration DEFAULT_LEASE_TIMEOUT = Duration.ofMinutes(5);

  private @Nullable Long expectedKeys;
  private @Nullable Double fpp;
  private OnFull onFull = OnFull.WARN;
  private LongConsumer whenFull = keys -> {};
  private UrlKey key = UrlKey.NORMALIZED;
  private int maxUrlBytes = DEFAULT_MAX_URL_BYTES;
  private UrlScope scope = UrlScope.everything();
  private @Nullable Duration perHostDelay;
  private @Nullable Long maxPerHost;
  private Duration leaseTimeout = DEFAULT_LEASE_TIMEOUT;
  private LongSupplier nanoClock = System::nanoTime;

  VisitQueueBuilder() {}

  /** Sets n, the different keys expected over the life of the queue; at least 1. */
  public VisitQueueBuilder expectedKeys(long expectedKeys) {
    this.expectedKeys = atLeastOne("expectedKeys", expectedKeys);
    return this;
  }

  /** Sets p, the probability that a new URL is taken for a seen one, in (0, 1). */
  public VisitQueueBuilder fpp(double fpp) {
    if (!(fpp > 0 && fpp < 1)) { // written so that NaN fails
      throw new IllegalArgumentException("fpp must be in (0, 1), got " + fpp);
    }
    this.fpp = fpp;
    return this;
  }

  /** Sets what happens once the expected keys have been seen; without it, {@link OnFull#WARN}. */
  public VisitQueueBuilder onFull(OnFull onFull) {
    this.onFull = requireNonNull(onFull, "onFull");
    return this;
  }

  /**
   * Sets who is told the number of keys, beside the log, under {@link OnFull#WARN}: when the
   * expected keys have been seen, twice as many, four times, and so on. It runs in the thread that
   * pushed; what it throws comes out of that push, after the URL is in.
   */
  public VisitQueueBuilder whenFull(LongConsumer listener) {
    this.whenFull = requireNonNull(listener, "listener");
    return this;
  }

  /** Sets which URLs are the same; without it, {@link UrlKey#NORMALIZED}. */
  public VisitQueueBuilder key(UrlKey key) {
    this.key = requireNonNull(key, "key");
    return this;
  }

  /**
   * Sets the most bytes of UTF-8 that a URL may have, 1 to {@link #LARGEST_MAX_URL_BYTES}; {@link
   * #DEFAULT_MAX_URL_BYTES} without.
   */
  public VisitQueueBuilder maxUrlBytes(int maxUrlBytes) {
    if (maxUrlBytes < 1 || maxUrlBytes > LARGEST_MAX_URL_BYTES) {
      throw new IllegalArgumentException(
          "maxUrlBytes must be 1 to " + LARGEST_MAX_URL_BYTES + ", got " + maxUrlBytes);
    }
    this.maxUrlBytes = maxUrlBytes;
    return this;
  }

  /** Sets which URLs are wanted; all without. */
  public VisitQueueBuilder scope(UrlScope scope) {
    this.scope = requireNonNull(scope, "scope");
    return this;
  }

  /**
   * Tells hosts apart: they take turns, one visit of a host at a time, and the next one not before
   * {@code delay} has passed since a URL was polled, or a lease ended. Without this or {@link
   * #maxPerHost}, URLs come in the order in which they were pushed.
   *
   * @param delay zero or more
   */
  public VisitQueueBuilder perHostDelay(Duration delay) {
    if (delay.isNegative()) {
      throw new IllegalArgumentException("perHostDelay must be zero or more, got " + delay);
    }
    this.perHostDelay = delay;
    return this;
  }

  /**
   * Tells hosts apart, as {@link #perHostDelay} does, and accepts at most so many URLs of each.
   *
   * @param urls at least 1
   */
  public VisitQueueBuilder maxPerHost(long urls) {
    this.maxPerHost = atLeastOne("maxPerHost", urls);
    return this;
  }

  /** Sets how long a lease lasts, more than zero; {@link #DEFAULT_LEASE_TIMEOUT} without. */
  public VisitQueueBuilder leaseTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException("leaseTimeout must be more than zero, got " + timeout);
    }
    this.leaseTimeout = timeout;
    return this;
  }

  /** Sets what tells the time, in nanoseconds from any beginning; the system's without. */
  public VisitQueueBuilder nanoClock(LongSupplier nanoClock) {
    this.nanoClock = requireNonNull(nanoClock, "nanoClock");
    return this;
  }

  /**
   * Builds an empty queue in memory.
   *
   * @throws IllegalStateException if {@link #expectedKeys} or {@link #fpp} was not called
   * @throws IllegalArgumentException if no filter can be so, or this JVM's heap cannot hold it
   */
  public VisitQueue build() {
    MVStore store = new MVStore.Builder().autoCommitDisabled().open();
    Contents contents = new Contents(store, waiting(store), Seen.of(emptyFilter()));
    return new VisitQueue(settings(), contents, ChangeLog.NONE);
  }

  private Settings settings() {
    Rules rules = new Rules(key, maxUrlBytes, scope, tellsHostsApart());
    return new Settings(
        rules,
        required("expectedKeys(keys)", expectedKeys),
        onFull,
        whenFull,
        maxPerHost != null ? OptionalLong.of(maxPerHost) : OptionalLong.empty(),
        leaseTimeout.toNanos(),
        nanoClock);
  }

  private boolean tellsHostsApart() {
    return perHostDelay != null || maxPerHost != null;
  }

  private Waiting waiting(MVStore store) {
    return tellsHostsApart()
        ? new HostTurns(store, perHostDelay != null ? perHostDelay.toNanos() : 0)
        : new Fifo(store);
  }

  private MutableFilter<CharSequence> emptyFilter() {
    long keys = required("expectedKeys(keys)", expectedKeys);
    double p = required("fpp(probability)", fpp);
    return onFull == OnFull.GROW
        ? ScalableBloomFilter.create(KeyHasher.text(), keys, p)
        : BloomFilter.create(KeyHasher.text(), keys, p);
  }

  private static <T> T required(String call, @Nullable T value) {
    if (value == null) {
      throw new IllegalStateException("call " + call + " first");
    }
    return value;
  }

  private static long atLeastOne(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be at least 1, got " + value);
    }
    return value;
  }

  /**
   * What a queue goes by.
   *
   * @param rules what makes a URL fit
   * @param expectedKeys the keys it was built for
   * @param onFull what happens past them
   * @param whenFull who is told
   * @param maxPerHost the most URLs of a host
   * @param leaseNanos how long a lease lasts
   * @param nanoClock what tells the time
   */
  record Settings(
      Rules rules,
      long expectedKeys,
      OnFull onFull,
      LongConsumer whenFull,
      OptionalLong maxPerHost,
      long leaseNanos,
      LongSupplier nanoClock) {}
}
