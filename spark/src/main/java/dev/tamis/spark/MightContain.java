package dev.tamis.spark;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * {@code tamis_might_contain(filter, key)}: false if the key is certainly not in the filter.
 *
 * <p>A null key is in no filter. A null filter gives null.
 */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class MightContain extends FilterExpression {

  static final String NAME = "tamis_might_contain";

  private transient @Nullable OpenedFilter opened;
  private transient @Nullable KeyArgument key;
  private transient @Nullable String keyType;

  MightContain(Seq<Expression> arguments) {
    super(NAME, arguments);
  }

  @Override
  FilterExpression with(Seq<Expression> arguments) {
    return new MightContain(arguments);
  }

  @Override
  public DataType dataType() {
    return DataTypes.BooleanType;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.result(
        Arguments.count(children(), "filter", "key")
            .or(() -> Arguments.binary(argument(0)))
            .or(() -> Arguments.key(argument(1)))
            .or(() -> Arguments.filter(argument(0), this::checkKey)));
  }

  private void checkKey(byte[] filter) {
    KeyArgument unused =
        KeyArgument.of(argument(1), OpenedFilter.hashed(filter).hasher().keyType());
  }

  @Override
  public @Nullable Object eval(InternalRow input) {
    byte[] bytes = (byte[]) argument(0).eval(input);
    if (bytes == null) {
      return null;
    }
    if (opened == null) {
      opened = new OpenedFilter();
    }
    HashedFilter<?> filter;
    try {
      filter = opened.of(bytes);
      String type = filter.hasher().keyType();
      if (key == null || !type.equals(keyType)) {
        key = KeyArgument.of(argument(1), type);
        keyType = type;
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(NAME + ": " + e.getMessage(), e);
    }
    return key.read(input) && filter.mightContainHash(key.hash(filter.hasher().function()));
  }

  /** Returns whether the key might be in the filter; see {@link #broadcast}. */
  static <F extends HashedFilter<?> & Storable> Column column(
      Dataset<?> dataset, F filter, Column key) {
    return ExpressionUtils.column(
        new MightContain(
            Arguments.of(List.of(broadcast(dataset, filter), ExpressionUtils.expression(key)))));
  }

  /**
   * Returns a filter that is broadcast as its bytes.
   *
   * @throws IllegalArgumentException if the filter has a secret key
   */
  static <F extends HashedFilter<?> & Storable> Expression broadcast(Dataset<?> dataset, F filter) {
    FilterBuffer.requireUnkeyed(filter.hashId());
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(dataset.sparkSession().sparkContext());
    return new BroadcastFilter(context.broadcast(filter.toByteArray()));
  }

  /** The bytes of a filter that is sent to each executor once, as a constant in a query. */
  @SuppressWarnings("serial") // Spark's expressions declare no version either
  private static final class BroadcastFilter extends FilterExpression {

    private final Broadcast<byte[]> bytes;

    BroadcastFilter(Broadcast<byte[]> bytes) {
      super("tamis_broadcast_" + bytes.id(), Arguments.of(List.of()));
      this.bytes = bytes;
    }

    @Override
    FilterExpression with(Seq<Expression> arguments) {
      return this;
    }

    @Override
    public boolean nullable() {
      return false;
    }

    @Override
    public DataType dataType() {
      return DataTypes.BinaryType;
    }

    @Override
    public Object eval(InternalRow input) {
      return bytes.value();
    }
  }
}
