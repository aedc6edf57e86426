package dev.tamis.flink;

import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/** The metrics of a guard's subtask. */
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

  void pass() {
    possible.inc();
  }

  void ruleOut() {
    ruledOut.inc();
  }

  /** Counts a replaced filter. */
  void refresh() {
    refreshes.incrementAndGet();
  }

  void fail() {
    failures.incrementAndGet();
  }
}
