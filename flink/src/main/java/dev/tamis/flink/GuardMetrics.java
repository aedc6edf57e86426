package dev.tamis.flink;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** What a subtask of a guard reports. */
final class GuardMetrics {

  private final Counter possible;
  private final Counter ruledOut;
  // atomic, because filters are refreshed by another thread than that of the task
  private final AtomicLong refreshes = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();

  GuardMetrics(MetricGroup parent) {
    MetricGroup group = parent.addGroup("tamis");
    this.possible = group.counter("possible");
    this.ruledOut = group.counter("ruledOut");
    group.gauge("refreshes", (Gauge<Long>) refreshes::get);
    group.gauge("refreshFailures", (Gauge<Long>) failures::get);
  }

  /** Counts a key that may be present. */
  void pass() {
    possible.inc();
  }

  /** Counts a key that is certainly absent. */
  void ruleOut() {
    ruledOut.inc();
  }

  /** Counts a filter that took the place of another. */
  void refresh() {
    refreshes.incrementAndGet();
  }

  /** Counts an attempt to refresh that failed. */
  void fail() {
    failures.incrementAndGet();
  }
}
