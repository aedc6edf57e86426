package dev.tamis.spark;

import java.io.Serializable;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A function in a query, with what Spark needs of every expression. */
@SuppressWarnings("serial") // Spark's expressions declare no version either
abstract class FilterExpression extends Expression implements CodegenFallback, Serializable {

  private final Serializable identity;
  private final Seq<Expression> arguments;

  /**
   * Creates a function of these arguments.
   *
   * @param identity what it does: functions of one class with equal identities and equal arguments
   *     are computed once
   */
  FilterExpression(Serializable identity, Seq<Expression> arguments) {
    this.identity = identity;
    this.arguments = arguments;
  }

  /** Returns the same function of other arguments. */
  abstract FilterExpression with(Seq<Expression> arguments);

  final Expression argument(int index) {
    return arguments.apply(index);
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public final Seq<Expression> children() {
    return arguments;
  }

  @Override
  public final Expression withNewChildrenInternal(IndexedSeq<Expression> arguments) {
    return with(arguments);
  }

  @Override
  public final Expression clone() { // by reflection otherwise, on public constructors
    return with(Arguments.cloned(arguments));
  }

  @Override
  public final ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return CodegenFallback.super.doGenCode(context, code);
  }

  @Override
  public final int productArity() {
    return 2;
  }

  @Override
  public final Object productElement(int index) {
    return switch (index) {
      case 0 -> identity;
      case 1 -> arguments;
      default -> throw new IndexOutOfBoundsException(index);
    };
  }

  @Override
  public final boolean canEqual(Object other) {
    return getClass() == other.getClass();
  }

  @Override
  public final boolean equals(@Nullable Object object) {
    return object instanceof FilterExpression other
        && canEqual(other)
        && identity.equals(other.identity)
        && arguments.equals(other.arguments);
  }

  @Override
  public final int hashCode() {
    return super.hashCode(); // of the two above
  }
}
