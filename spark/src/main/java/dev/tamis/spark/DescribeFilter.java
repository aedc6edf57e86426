package dev.tamis.spark;

import dev.tamis.Estimate;
import dev.tamis.Filter;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * Summary of a filter: {@code tamis_info(filter)}, a text, or {@code tamis_count(filter)}, about
 * how many distinct keys it has.
 *
 * <p>A null filter gives null, and so does the count of a full one, which cannot be known.
 */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class DescribeFilter extends FilterExpression {

  private final Subject subject;

  DescribeFilter(Subject subject, Seq<Expression> arguments) {
    super(subject.functionName, arguments);
    this.subject = subject;
  }

  /** The property that a function returns. */
  @SuppressWarnings("ImmutableEnumChecker") // Spark's types are immutable, without saying so
  enum Subject {
    INFO("tamis_info", DataTypes.StringType) {
      @Override
      Object of(Filter<?> filter) {
        Estimate keys = filter.approximateElementCount();
        return UTF8String.fromString(
            String.format(
                Locale.ROOT,
                "%s, keys=%s, fpp=%.3g",
                filter.traits(),
                keys.isBounded() ? "about " + keys.rounded() : "unknown",
                filter.expectedFpp()));
      }
    },

    COUNT("tamis_count", DataTypes.LongType) {
      @Override
      @Nullable Object of(Filter<?> filter) {
        Estimate keys = filter.approximateElementCount();
        return keys.isBounded() ? keys.rounded() : null;
      }
    };

    private final String functionName;
    private final DataType type;

    Subject(String functionName, DataType type) {
      this.functionName = functionName;
      this.type = type;
    }

    abstract @Nullable Object of(Filter<?> filter);

    String functionName() {
      return functionName;
    }
  }

  @Override
  FilterExpression with(Seq<Expression> arguments) {
    return new DescribeFilter(subject, arguments);
  }

  @Override
  public DataType dataType() {
    return subject.type;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.result(
        Arguments.count(children(), "filter")
            .or(() -> Arguments.filter(argument(0), OpenedFilter::read)));
  }

  @Override
  public @Nullable Object eval(InternalRow input) {
    byte[] bytes = (byte[]) argument(0).eval(input);
    if (bytes == null) {
      return null;
    }
    try {
      return subject.of(OpenedFilter.read(bytes));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(subject.functionName + ": " + e.getMessage(), e);
    }
  }
}
