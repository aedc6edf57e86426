package dev.tamis.spark;

import dev.tamis.hash.HashFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/** The argument of a function that is a key, read row by row. */
final class KeyArgument {

  private final Expression argument;
  private final KeyReader reader;
  private final GenericInternalRow key = new GenericInternalRow(1);

  KeyArgument(Expression argument) {
    this.argument = argument;
    this.reader = KeyReader.of(argument.dataType());
  }

  /** Evaluates the argument for a row, and returns whether the row has a key. */
  boolean read(InternalRow input) {
    key.update(0, argument.eval(input));
    return !reader.isNull(key, 0);
  }

  long hash(HashFunction function) {
    return reader.hash(key, 0, function);
  }
}
