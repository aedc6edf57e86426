package dev.tamis.spark;

import dev.tamis.hash.HashFunction;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/** The hash of a key in a query, by {@link KeyReader}; null if the row has no key. */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class KeyHash extends FilterExpression {

  private static final String NAME = "tamis_hash";

  private transient @Nullable KeyArgument key;
  private transient @Nullable HashFunction function;

  KeyHash(Expression key) {
    this(Arguments.of(List.of(key)));
  }

  private KeyHash(Seq<Expression> arguments) {
    super(NAME, arguments);
  }

  @Override
  FilterExpression with(Seq<Expression> arguments) {
    return new KeyHash(arguments);
  }

  @Override
  public DataType dataType() {
    return DataTypes.LongType;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.result(Arguments.key(argument(0)));
  }

  @Override
  public @Nullable Object eval(InternalRow input) {
    if (key == null || function == null) {
      key = KeyArgument.of(argument(0));
      function = HashFunction.xxh3(0);
    }
    return key.read(input) ? key.hash(function) : null;
  }
}
