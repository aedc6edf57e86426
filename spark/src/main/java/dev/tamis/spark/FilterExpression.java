package dev.tamis.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenFallback;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/** A function in a query, with what Spark needs of every expression. */
@SuppressWarnings("serial") // Spark's expressions declare no version either
abstract class FilterExpression extends Expression implements CodegenFallback, FunctionCall {

  private final String name;
  private final Seq<Expression> arguments;

  /**
   * Creates a function of these arguments.
   *
   * @param name what Spark prints; calls of one class with equal names and arguments are the same
   */
  FilterExpression(String name, Seq<Expression> arguments) {
    this.name = name;
    this.arguments = arguments;
  }

  /** Returns the same function of other arguments. */
  abstract FilterExpression with(Seq<Expression> arguments);

  @Override
  public final String prettyName() {
    return name;
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
  public final List<Object> parts() {
    return List.of(name, arguments);
  }

  @Override
  public final boolean equals(@Nullable Object object) {
    return isSameAs(object);
  }

  @Override
  public final int hashCode() {
    return super.hashCode(); // of the parts
  }
}
