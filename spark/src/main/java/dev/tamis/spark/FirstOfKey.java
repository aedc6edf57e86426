package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * Tells whether a hash is the first occurrence in its partition, by a Bloom filter that the task
 * fills.
 *
 * <p>Not deterministic in the sense of Spark: the answer depends on the rows before.
 */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class FirstOfKey extends FilterExpression {

  private static final String NAME = "tamis_first_of_key";

  record Counts(long rows, long kept, double expectedWrongDrops) implements Serializable {}

  private final long expectedKeys;
  private final double fpp;
  private final PartitionCounts<Counts> counts;
  private transient @Nullable BloomFilter<Long> filter;
  private transient long rows;

  FirstOfKey(long expectedKeys, double fpp, PartitionCounts<Counts> counts, Expression hash) {
    this(expectedKeys, fpp, counts, Arguments.of(List.of(hash)));
  }

  private FirstOfKey(
      long expectedKeys, double fpp, PartitionCounts<Counts> counts, Seq<Expression> arguments) {
    super(NAME, arguments);
    this.expectedKeys = expectedKeys;
    this.fpp = fpp;
    this.counts = counts;
  }

  @Override
  FilterExpression with(Seq<Expression> arguments) {
    return new FirstOfKey(expectedKeys, fpp, counts, arguments);
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public boolean deterministic() {
    return false;
  }

  @Override
  public DataType dataType() {
    return DataTypes.BooleanType;
  }

  @Override
  public Object eval(InternalRow input) {
    if (filter == null) {
      filter =
          BloomFilter.<Long>builder(KeyHasher.longs())
              .expectedKeys(expectedKeys)
              .fpp(fpp)
              .singleThreaded()
              .build();
      TaskContext context = requireNonNull(TaskContext.get(), "a query runs in a task");
      TaskCompletionListener whenDone = done -> count(done.partitionId());
      context.addTaskCompletionListener(whenDone);
    }
    rows++;
    return filter.putLong((long) argument(0).eval(input));
  }

  private void count(int partition) {
    BloomFilter<Long> seen = requireNonNull(filter, "built before the listener was added");
    counts.add(
        new PartitionCounts.OfPartition<>(
            partition, new Counts(rows, seen.acceptedKeys(), seen.expectedWrongDrops())));
  }
}
