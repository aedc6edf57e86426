package dev.tamis.spark;

import java.io.Serializable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.util.AccumulatorV2;

/**
 * What the tasks of a stage have counted, once for each partition however often its task ran.
 *
 * <p>Spark's own accumulators add up what repeated tasks of a shuffle count twice.
 *
 * @param <C> what is counted in a partition
 */
final class PartitionCounts<C extends Serializable>
    extends AccumulatorV2<PartitionCounts.OfPartition<C>, Map<Integer, C>> {

  private static final long serialVersionUID = 1;

  private final ConcurrentHashMap<Integer, C> byPartition = new ConcurrentHashMap<>();

  /** What the task of one partition has counted. */
  record OfPartition<C extends Serializable>(int partition, C counts) {}

  @Override
  public boolean isZero() {
    return byPartition.isEmpty();
  }

  @Override
  public PartitionCounts<C> copy() {
    PartitionCounts<C> copy = new PartitionCounts<>();
    copy.byPartition.putAll(byPartition);
    return copy;
  }

  @Override
  public void reset() {
    byPartition.clear();
  }

  @Override
  public void add(OfPartition<C> counted) {
    byPartition.put(counted.partition, counted.counts);
  }

  @Override
  public void merge(AccumulatorV2<OfPartition<C>, Map<Integer, C>> other) {
    byPartition.putAll(other.value());
  }

  @Override
  public Map<Integer, C> value() {
    return byPartition;
  }
}
