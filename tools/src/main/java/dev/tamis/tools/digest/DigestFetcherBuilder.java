package dev.tamis.tools.digest;

import static java.util.Objects.requireNonNull;

import dev.tamis.sizing.Checks;
import java.time.Duration;
import java.time.InstantSource;

/** Timeouts, retries and limits of a {@link DigestFetcher}. */
public final class DigestFetcherBuilder {

  /** The default number of requests to a server. */
  public static final int DEFAULT_ATTEMPTS = 10;

  /** The default pause between two requests. */
  public static final Duration DEFAULT_DELAY = Duration.ofSeconds(3);

  /** The default timeout of a request. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /** The default limit of a digest in bytes: 1e8 entries of 5 bits. */
  public static final long DEFAULT_MAX_BYTES = 64L << 20;

  /** The bytes of the largest digest that there can be, without its header. */
  public static final long LARGEST_MAX_BYTES = DigestSize.MAX_BITS / Byte.SIZE + 1;

  private static final int MAX_ATTEMPTS = 1_000_000;
  private static final Duration LONGEST = Duration.ofDays(1);

  int attempts = DEFAULT_ATTEMPTS;
  Duration delay = DEFAULT_DELAY;
  Duration timeout = DEFAULT_TIMEOUT;
  long maxBytes = DEFAULT_MAX_BYTES;
  InstantSource clock = InstantSource.system();
  Pause pause = time -> Thread.sleep(time.toMillis());

  DigestFetcherBuilder() {}

  /** Sets the most requests to a server that is not ready; 1 to 1,000,000. */
  public DigestFetcherBuilder attempts(int newAttempts) {
    attempts = (int) Checks.range("attempts", newAttempts, 1, MAX_ATTEMPTS);
    return this;
  }

  /**
   * Sets the pause between two requests; zero to a day. A longer {@code Retry-After} of the server
   * is respected, up to an hour.
   */
  public DigestFetcherBuilder delay(Duration newDelay) {
    if (newDelay.isNegative() || newDelay.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("delay must be 0 to " + LONGEST + ", got " + newDelay);
    }
    delay = newDelay;
    return this;
  }

  /** Sets the timeout of a whole answer; above zero, at most a day. */
  public DigestFetcherBuilder timeout(Duration newTimeout) {
    if (newTimeout.isNegative() || newTimeout.isZero() || newTimeout.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "timeout must be over 0 and at most " + LONGEST + ", got " + newTimeout);
    }
    timeout = newTimeout;
    return this;
  }

  /** Sets the most bytes of a digest's bits; from 1 to {@link #LARGEST_MAX_BYTES}. */
  public DigestFetcherBuilder maxBytes(long newMaxBytes) {
    maxBytes = Checks.range("maxBytes", newMaxBytes, 1, LARGEST_MAX_BYTES);
    return this;
  }

  /** Sets the clock with which a date in {@code Retry-After} is compared. */
  public DigestFetcherBuilder clock(InstantSource newClock) {
    clock = requireNonNull(newClock, "clock");
    return this;
  }

  /** Sets how to wait. */
  DigestFetcherBuilder pause(Pause newPause) {
    pause = newPause;
    return this;
  }

  /** Returns the fetcher. */
  public DigestFetcher build() {
    return new DigestFetcher(this);
  }

  /** A way to let time pass. */
  interface Pause {
    void of(Duration time) throws InterruptedException;
  }
}
