package dev.tamis.spark;

import dev.tamis.hash.HashFunction;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;

/** The argument of a function that is a key, read row by row. */
final class KeyArgument {

  private final Expression argument;
  private final KeyReader reader;
  private final GenericInternalRow key = new GenericInternalRow(1);

  private KeyArgument(Expression argument, DataType type) {
    this.reader = KeyReader.of(type);
    this.argument =
        KeyTypes.fits(type, argument.dataType())
            ? argument
            : Cast$.MODULE$.apply(argument, type, true);
  }

  /** Returns the keys of a new filter. */
  static KeyArgument of(Expression argument) {
    return new KeyArgument(argument, KeyTypes.hashed(argument.dataType()));
  }

  /**
   * Returns the keys to query a filter for.
   *
   * @param stated the type of its keys, or nothing
   * @throws IllegalArgumentException if they are of another type
   */
  static KeyArgument of(Expression argument, String stated) {
    if (stated.isEmpty()) {
      return of(argument);
    }
    DataType type = KeyTypes.ofStated(stated);
    if (!KeyTypes.fits(argument.dataType(), type)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "key: must be of type %s, as the filter's keys are, got %s; cast it",
              type.catalogString(),
              argument.dataType().catalogString()));
    }
    return new KeyArgument(argument, type);
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
