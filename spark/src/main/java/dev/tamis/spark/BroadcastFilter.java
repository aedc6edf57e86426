package dev.tamis.spark;

import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.Seq;

/** The bytes of a filter that is sent to each executor once, as a constant in a query. */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class BroadcastFilter extends FilterExpression {

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
