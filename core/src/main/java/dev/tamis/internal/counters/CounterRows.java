package dev.tamis.internal.counters;

import dev.tamis.internal.bits.Mixing;
import dev.tamis.internal.bits.Words;

/**
 * Rows of counters in which a key has one counter a row, its own draw in each: a count-min sketch
 * without its keys.
 *
 * <p>Counters and sums saturate at {@link Long#MAX_VALUE}. Not safe for concurrent use.
 */
public final class CounterRows {

  private final int depth;
  private final long width;
  private final Words counters;

  /** Creates zeros; {@code depth} times {@code width} is at most {@link Words#MAX_COUNT}. */
  public CounterRows(int depth, long width) {
    this.depth = depth;
    this.width = width;
    this.counters = Words.allocate(depth * width);
  }

  /** Adds {@code times}, at least 0, to each counter of the key; returns its count then. */
  public long add(long hash, long times) {
    long least = Long.MAX_VALUE;
    for (int row = 0; row < depth; row++) {
      long at = position(hash, row);
      long sum = saturatingSum(counters.get(at), times);
      counters.set(at, sum);
      least = Math.min(least, sum);
    }
    return least;
  }

  /** Raises the key's counters only as far as its count needs; returns its count then. */
  public long addConservatively(long hash, long times) {
    long least = saturatingSum(count(hash), times);
    for (int row = 0; row < depth; row++) {
      long at = position(hash, row);
      counters.set(at, Math.max(counters.get(at), least));
    }
    return least;
  }

  /** Returns the least of the key's counters. */
  public long count(long hash) {
    long least = Long.MAX_VALUE;
    for (int row = 0; row < depth; row++) {
      least = Math.min(least, counters.get(position(hash, row)));
    }
    return least;
  }

  private long position(long hash, int row) {
    return row * width + Mixing.reduce(Mixing.draw(hash, row), width);
  }

  public void addAll(CounterRows other) {
    for (int segment = 0; segment < counters.segments().length; segment++) {
      long[] mine = counters.segments()[segment];
      long[] theirs = other.counters.segments()[segment];
      for (int at = Words.FIRST; at < mine.length; at++) {
        mine[at] = saturatingSum(mine[at], theirs[at]);
      }
    }
  }

  /** Returns the sum of a row whose counters are not negative. */
  public long sumOfRow(int row) {
    long sum = 0;
    long end = (row + 1) * width;
    for (long at = row * width; at < end; at++) {
      sum = saturatingSum(sum, counters.get(at));
    }
    return sum;
  }

  /** Returns the sum of two numbers that are not negative, at most {@link Long#MAX_VALUE}. */
  public static long saturatingSum(long first, long second) {
    long sum = first + second;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  public void clear() {
    counters.clear();
  }

  public CounterRows copy() {
    CounterRows copy = new CounterRows(depth, width);
    copy.counters.copyFrom(counters);
    return copy;
  }

  public int depth() {
    return depth;
  }

  public long width() {
    return width;
  }

  /** Returns the counters, row after row. */
  public Words counters() {
    return counters;
  }
}
