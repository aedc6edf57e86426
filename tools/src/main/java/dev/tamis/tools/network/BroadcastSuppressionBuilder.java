package dev.tamis.tools.network;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.filter.WindowedBloomFilterBuilder;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;
import dev.tamis.tools.network.BroadcastSuppression.Renewal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link BroadcastSuppression}: fpp, and a window of messages, of time, or both.
 *
 * <p>Each setter checks its own value at once; {@link #build} checks that together they are enough.
 *
 * @param <T> the type of a message's identity
 */
public final class BroadcastSuppressionBuilder<T> {

  private final KeyHasher<? super T> hasher;
  private Renewal renewal = Renewal.FIRST_SEEN;
  private long windowMessages;
  private long expectedMessages;
  private @Nullable Duration time;
  private @Nullable InstantSource clock;
  private double fpp;

  BroadcastSuppressionBuilder(KeyHasher<? super T> hasher) {
    // nodes with one hash function would lose the same message all at once: each has its own
    this.hasher = hasher.withRandomKey();
  }

  /** Sets W, the messages that are remembered at least; at least 1. */
  public BroadcastSuppressionBuilder<T> window(long messages) {
    this.windowMessages = Checks.atLeast("window", messages, 1);
    return this;
  }

  /**
   * Sets T, the time for which a message is remembered at least; 1 ns to {@link
   * WindowedBloomFilterBuilder#MAX_TIME}. Needs {@link #expectedMessages} and {@link #clock}.
   */
  public BroadcastSuppressionBuilder<T> window(Duration time) {
    requireNonNull(time, "time");
    WindowedBloomFilterBuilder<T> unused = WindowedBloomFilter.<T>builder(hasher).window(time);
    this.time = time;
    return this;
  }

  /**
   * Sets how many messages to expect within the window of time, evenly spread; at least 1. With
   * {@link Renewal#LAST_SEEN} echoes count too, unless they follow each other closely.
   */
  public BroadcastSuppressionBuilder<T> expectedMessages(long messages) {
    this.expectedMessages = Checks.atLeast("expectedMessages", messages, 1);
    return this;
  }

  /** Sets the clock of the window of time, which is read with every message. */
  public BroadcastSuppressionBuilder<T> clock(InstantSource clock) {
    this.clock = requireNonNull(clock, "clock");
    return this;
  }

  /** Sets the probability that a new message is dropped, all windows together; in (0, 1). */
  public BroadcastSuppressionBuilder<T> fpp(double fpp) {
    this.fpp = Checks.fpp(fpp);
    return this;
  }

  /** Sets from when on a message's window counts; {@link Renewal#FIRST_SEEN} without. */
  public BroadcastSuppressionBuilder<T> renewal(Renewal renewal) {
    this.renewal = requireNonNull(renewal, "renewal");
    return this;
  }

  /**
   * Builds a suppression that has seen nothing.
   *
   * @throws IllegalStateException if the settings are too few or contradict each other
   * @throws IllegalArgumentException if no such filter is possible, or this JVM's heap cannot hold
   *     it
   */
  public BroadcastSuppression<T> build() {
    if (fpp == 0) {
      throw new IllegalStateException("need the fpp");
    }
    if (windowMessages == 0 && time == null) {
      throw new IllegalStateException("need a window of messages, of time, or both");
    }
    if (time == null && (expectedMessages > 0 || clock != null)) {
      throw new IllegalStateException(
          "expectedMessages and clock belong to a window of time, which was not set");
    }
    boolean both = windowMessages > 0 && time != null;
    double each = both ? fpp / 2 : fpp; // a message is dropped when either says so
    List<WindowedBloomFilter<T>> windows = new ArrayList<>();
    if (windowMessages > 0) {
      windows.add(WindowedBloomFilter.<T>builder(hasher).window(windowMessages).fpp(each).build());
    }
    if (time != null) {
      windows.add(ofTime(time, each));
    }
    return new BroadcastSuppression<>(List.copyOf(windows), renewal);
  }

  private WindowedBloomFilter<T> ofTime(Duration time, double fpp) {
    if (expectedMessages == 0 || clock == null) {
      throw new IllegalStateException("a window of time needs expectedMessages and a clock");
    }
    return WindowedBloomFilter.<T>builder(hasher)
        .window(time)
        .expectedKeys(expectedMessages)
        .clock(clock)
        .fpp(fpp)
        .build();
  }
}
