package dev.tamis.internal.counters;

import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.internal.bits.Mixing;
import java.util.Arrays;

/**
 * Rows of counters in which a key has one counter a row, its own draw in each: a count-min sketch
 * without its keys.
 *
 * <p>Counters and sums saturate at {@link Long#MAX_VALUE}. Not safe for concurrent use.
 */
public final class CounterRows {

  private final int depth;
  private final int width;
  private final long[] counters;

  /** Makes rows of zeros; {@code depth} times {@code width} must fit in an array. */
  public CounterRows(int depth, int width) {
    this.depth = depth;
    this.width = width;
    this.counters = HeapLimit.longs(Math.multiplyExact(depth, width));
  }

  /** Adds {@code times}, at least 0, to each counter of the key; returns its count then. */
  public long add(long hash, long times) {
    long least = Long.MAX_VALUE;
    for (int row = 0; row < depth; row++) {
      int at = position(hash, row);
      counters[at] = saturatingSum(counters[at], times);
      least = Math.min(least, counters[at]);
    }
    return least;
  }

  /** Raises the key's counters only as far as its count needs; returns its count then. */
  public long addConservatively(long hash, long times) {
    long least = saturatingSum(count(hash), times);
    for (int row = 0; row < depth; row++) {
      int at = position(hash, row);
      counters[at] = Math.max(counters[at], least);
    }
    return least;
  }

  /** Returns the least of the key's counters. */
  public long count(long hash) {
    long least = Long.MAX_VALUE;
    for (int row = 0; row < depth; row++) {
      least = Math.min(least, counters[position(hash, row)]);
    }
    return least;
  }

  private int position(long hash, int row) {
    return row * width + (int) Mixing.reduce(Mixing.draw(hash, row), width);
  }

  /** Adds the counters of {@code other}, which has as many rows of the same width. */
  public void addAll(CounterRows other) {
    for (int i = 0; i < counters.length; i++) {
      counters[i] = saturatingSum(counters[i], other.counters[i]);
    }
  }

  /** Returns the sum of a row; the counters must not be negative. */
  public long sumOfRow(int row) {
    long sum = 0;
    for (int i = row * width; i < (row + 1) * width; i++) {
      sum = saturatingSum(sum, counters[i]);
    }
    return sum;
  }

  /** Returns the sum of two numbers that are not negative, or the largest there is. */
  public static long saturatingSum(long first, long second) {
    long sum = first + second;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Sets all counters to zero. */
  public void clear() {
    Arrays.fill(counters, 0);
  }

  /** Returns rows with the same counters. */
  public CounterRows copy() {
    CounterRows copy = new CounterRows(depth, width);
    System.arraycopy(counters, 0, copy.counters, 0, counters.length);
    return copy;
  }

  /** Returns how many rows there are. */
  public int depth() {
    return depth;
  }

  /** Returns how many counters a row has. */
  public int width() {
    return width;
  }

  /** Returns the counters themselves, row after row. */
  public long[] counters() {
    return counters;
  }
}
