package dev.tamis.spark;

import dev.tamis.hash.HashFunction;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/** The hash of a key in a query, as {@link KeyReader} takes it; null for what is no key. */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class KeyHash extends FilterExpression {

  private static final String NAME = "tamis_hash";

  private transient @Nullable KeyReader reader;
  private transient @Nullable GenericInternalRow key;
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
  public String prettyName() {
    return NAME;
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
    if (reader == null || key == null || function == null) {
      reader = KeyReader.of(argument(0).dataType());
      key = new GenericInternalRow(1);
      function = HashFunction.xxh3(0);
    }
    key.update(0, argument(0).eval(input));
    return reader.isNull(key, 0) ? null : reader.hash(key, 0, function);
  }
}
