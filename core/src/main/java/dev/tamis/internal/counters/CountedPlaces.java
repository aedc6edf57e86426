package dev.tamis.internal.counters;

import dev.tamis.internal.bits.Placement;

/** The counters of a key: one at each place where a {@link Placement} has a bit. */
public final class CountedPlaces {

  /*
   * A put counts at every probe, also where two probes of a key meet; a removal undoes just that.
   *
   * The shared put tells one winner as Placement's does: the deciding counter is that of the last
   * probe found at zero. All others are counted up first, the deciding one last, and the put returns
   * true only if it found that one at zero still. The proof there needs that no bit is ever cleared:
   * it holds as long as nothing is removed meanwhile.
   */

  private final Placement placement;
  private final Counters counters;

  /** Puts the two together; there is a counter for each position. */
  public CountedPlaces(Placement placement, Counters counters) {
    this.placement = placement;
    this.counters = counters;
  }

  /** Counts a key once more and returns whether any of its counters was zero. */
  public boolean put(long hash) {
    boolean isNew = false;
    for (int probe = 0; probe < placement.probes(); probe++) {
      isNew |= counters.add(placement.position(hash, probe), 1) == 0;
    }
    return isNew;
  }

  /**
   * Does the same while other threads may do so with any key. Of all calls for one hash at most one
   * returns true, as long as nothing is removed.
   */
  public boolean putShared(long hash) {
    long deciding = lastZero(hash);
    int timesDeciding = 0;
    for (int probe = 0; probe < placement.probes(); probe++) {
      long position = placement.position(hash, probe);
      if (position == deciding) {
        timesDeciding++;
      } else {
        counters.add(position, 1);
      }
    }
    return deciding >= 0 && counters.add(deciding, timesDeciding) == 0;
  }

  /** Returns the position of the last probe whose counter is zero, or −1. */
  private long lastZero(long hash) {
    for (int probe = placement.probes() - 1; probe >= 0; probe--) {
      long position = placement.position(hash, probe);
      if (counters.get(position) == 0) {
        return position;
      }
    }
    return -1;
  }

  /** Takes one put of a key back and returns whether any of its counters is zero now. */
  public boolean remove(long hash) {
    boolean left = false;
    for (int probe = 0; probe < placement.probes(); probe++) {
      left |= counters.decrement(placement.position(hash, probe)) == 1;
    }
    return left;
  }

  /** Returns whether all counters of a key are more than zero. */
  public boolean mightContain(long hash) {
    for (int probe = 0; probe < placement.probes(); probe++) {
      if (counters.get(placement.position(hash, probe)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the least of a key's counters. */
  public long least(long hash) {
    long least = counters.most();
    for (int probe = 0; probe < placement.probes() && least > 0; probe++) {
      least = Math.min(least, counters.get(placement.position(hash, probe)));
    }
    return least;
  }

  /** Reads the memory of a key's counters; returns something that depends on it. */
  private long touch(long hash) {
    long read = 0;
    for (int probe = 0; probe < placement.probes(); probe++) {
      read |= counters.touch(placement.position(hash, probe));
    }
    return read;
  }

  /**
   * Reads the memory of several keys' counters; what is written to {@code scratch} keeps the reads
   * from being left out.
   */
  public void touch(long[] hashes, int from, int to, boolean[] scratch) {
    for (int i = from; i < to; i++) {
      scratch[i] = touch(hashes[i]) != 0;
    }
  }

  /**
   * Returns the probability that all counters of a random key are more than zero. Costs one pass,
   * and a bit for each counter for as long.
   */
  public double fpp() {
    return placement.fpp(counters.nonZeros());
  }
}
