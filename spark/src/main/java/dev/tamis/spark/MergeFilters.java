package dev.tamis.spark;

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * {@code tamis_merge(filter)}: the filters or sketches of a group merged, null if there are none.
 */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class MergeFilters extends FilterAggregate {

  static final String NAME = "tamis_merge";

  MergeFilters(Seq<Expression> arguments) {
    this(arguments, 0, 0);
  }

  private MergeFilters(Seq<Expression> arguments, int bufferOffset, int inputOffset) {
    super(NAME, arguments, bufferOffset, inputOffset);
  }

  @Override
  FilterAggregate with(Seq<Expression> arguments, int bufferOffset, int inputOffset) {
    return new MergeFilters(arguments, bufferOffset, inputOffset);
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.result(
        Arguments.count(children(), "filter")
            .or(() -> Arguments.filter(argument(0), MergeFilters::check)));
  }

  private static void check(byte[] frame) {
    try {
      FilterBuffer<?> unused = FilterBuffer.of(frame);
    } catch (IOException e) {
      throw new IllegalArgumentException("filter: " + e.getMessage(), e);
    }
  }

  @Override
  void add(Buffer buffer, InternalRow input) throws IOException {
    byte[] frame = (byte[]) argument(0).eval(input);
    if (frame != null) {
      buffer.merge(FilterBuffer.of(frame));
    }
  }

  @Override
  byte @Nullable [] ofNothing() {
    return null;
  }
}
