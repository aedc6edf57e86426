package dev.tamis.flink;

import dev.tamis.DropAware;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a subtask reports: elements accepted and dropped since it started, and how full its buckets
 * are.
 *
 * <p>The fill covers the buckets that had an element since the subtask started, because Flink lets
 * a function see the state of one key at a time.
 */
final class SeenMetrics {

  private static final Logger LOG = LoggerFactory.getLogger(Seen.class);

  /** Standard deviations above which a bucket is overfull: one in three million is by chance. */
  private static final double DEVIATIONS = 5;

  private final BucketFpp fpp;
  private final Buckets buckets;
  private final Counter accepted;
  private final Counter dropped;
  private final Counter late;
  private final Map<Long, BitSet> visited = new HashMap<>();
  // written by the task alone; atomic because reporters read them in their own threads
  private final AtomicLong setBits = new AtomicLong();
  private final AtomicLong bits = new AtomicLong();
  private final AtomicLong wrongDrops = new AtomicLong(Double.doubleToRawLongBits(0));
  private boolean warned;

  SeenMetrics(MetricGroup parent, Buckets buckets, BucketFpp fpp) {
    this.buckets = buckets;
    this.fpp = fpp;
    MetricGroup group = parent.addGroup("tamis");
    this.accepted = group.counter("accepted");
    this.dropped = group.counter("dropped");
    this.late = group.counter("late");
    group.gauge("expectedWrongDrops", (Gauge<Double>) this::expectedWrongDrops);
    group.gauge("fill", (Gauge<Double>) this::fill);
  }

  private double expectedWrongDrops() {
    return Double.longBitsToDouble(wrongDrops.getOpaque());
  }

  /** Returns the share of set bits, 0 before the first element. */
  private double fill() {
    return (double) setBits.getOpaque() / Math.max(1, bits.getOpaque());
  }

  /** Adds a bucket to the fill unless this subtask has seen it before. */
  void visit(long generation, int number, Bucket bucket) {
    BitSet known = visited.get(generation);
    if (known == null) {
      known = new BitSet();
      visited.put(generation, known);
    }
    if (!known.get(number)) {
      known.set(number);
      bits.setOpaque(bits.getPlain() + buckets.bits(number));
      setBits.setOpaque(setBits.getPlain() + bucket.setBits());
    }
  }

  /** Removes an expired bucket from the fill. */
  void leave(long generation, int number, Bucket bucket) {
    BitSet known = visited.get(generation);
    if (known == null || !known.get(number)) {
      return;
    }
    known.clear(number);
    if (known.isEmpty()) {
      visited.remove(generation);
    }
    bits.setOpaque(bits.getPlain() - buckets.bits(number));
    setBits.setOpaque(setBits.getPlain() - bucket.setBits());
  }

  void addSetBits(int added) {
    setBits.setOpaque(setBits.getPlain() + added);
  }

  /**
   * Counts an element that was accepted.
   *
   * @param fppBefore the probability with which it would have been dropped
   */
  void accept(double fppBefore) {
    accepted.inc();
    if (fppBefore <= DropAware.UNKNOWN_FROM_FPP) {
      addWrongDrops(fppBefore / (1 - fppBefore));
    }
  }

  /** Counts an element that was dropped. */
  void drop(double fppBefore) {
    dropped.inc();
    if (fppBefore > DropAware.UNKNOWN_FROM_FPP) {
      addWrongDrops(1);
    }
  }

  void late() {
    late.inc();
  }

  private void addWrongDrops(double expected) {
    wrongDrops.setOpaque(Double.doubleToRawLongBits(expectedWrongDrops() + expected));
  }

  /** Warns once in the log if a bucket has more keys than chance explains. */
  void warnIfOverfull(int number, Bucket bucket) {
    double capacity = fpp.capacity(number);
    if (!warned && bucket.keys() > capacity + DEVIATIONS * (1 + Math.sqrt(capacity))) {
      warned = true;
      LOG.warn(
          "Seen: bucket {} has {} keys, more than the {} it was sized for: more new elements than"
              + " the fpp says are dropped from now on; begin with new state and more"
              + " expectedKeys",
          number,
          bucket.keys(),
          Math.round(capacity));
    }
  }
}
