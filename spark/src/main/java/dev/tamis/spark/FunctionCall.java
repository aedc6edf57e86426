package dev.tamis.spark;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.jspecify.annotations.Nullable;
import scala.Product;
import scala.collection.immutable.Seq;

/**
 * A call of a function in a query, as Spark compares calls: by class and parts, as a case class of
 * Scala. Equal calls are evaluated once.
 */
interface FunctionCall extends Product, Serializable {

  /** Returns the parts in which two calls of functions of this class may differ. */
  List<Object> parts();

  Seq<Expression> children();

  default Expression argument(int index) {
    return children().apply(index);
  }

  @Override
  default int productArity() {
    return parts().size();
  }

  @Override
  default Object productElement(int index) {
    return parts().get(index);
  }

  @Override
  default boolean canEqual(Object other) {
    return getClass() == other.getClass();
  }

  /** Implements {@code equals}, which an interface cannot define. */
  default boolean isSameAs(@Nullable Object object) {
    return object instanceof FunctionCall other && canEqual(other) && parts().equals(other.parts());
  }
}
