package dev.tamis.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers$;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.AnsiIntervalType;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DatetimeType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/**
 * The columns by which rows are repeats of each other, found by name as {@code dropDuplicates}
 * finds them, and their hash.
 *
 * <p>The hash is Spark's own {@code xxhash64}, which takes nulls and many types, and is compiled
 * into the query. It never leaves the job.
 *
 * @param rows the data set; of the two zeros and of the many NaNs, its columns have the ones that
 *     {@code dropDuplicates} emits
 * @param names at least one
 * @param hash the hash of a row, 64 bits
 */
record RowKeys<T>(Dataset<T> rows, List<String> names, Column hash) {

  /**
   * Returns these columns of {@code dataset}, or all of them if there are none.
   *
   * @throws IllegalArgumentException if equal values of a column may have different hashes, or
   *     there is no such column
   */
  static <T> RowKeys<T> of(Dataset<T> dataset, String... columns) {
    List<String> names = List.of(columns.length == 0 ? dataset.columns() : columns);
    if (names.isEmpty()) {
      throw new IllegalArgumentException("dataset: must have at least one column, got none");
    }
    List<Attribute> keys = Columns.named(dataset, names);
    for (Attribute key : keys) {
      if (!isHashable(key.dataType())) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "column %s: equal values of type %s may have different hashes; use dropDuplicates",
                key.name(),
                key.dataType().simpleString()));
      }
    }
    Dataset<T> rows = normalized(dataset, keys);
    Column[] hashed =
        Columns.named(rows, names).stream().map(ExpressionUtils::column).toArray(Column[]::new);
    return new RowKeys<>(rows, names, functions.xxhash64(hashed));
  }

  /** Returns whether equal values have equal hashes, in generated code and outside of it. */
  private static boolean isHashable(DataType type) {
    if (type instanceof ArrayType array) {
      return isHashable(array.elementType());
    }
    if (type instanceof StructType struct) {
      return Arrays.stream(struct.fields()).allMatch(field -> isHashable(field.dataType()));
    }
    return type instanceof StringType text
        ? text.supportsBinaryEquality()
        : type instanceof NumericType
            || type instanceof DatetimeType
            || type instanceof AnsiIntervalType
            || type instanceof BooleanType
            || type instanceof BinaryType
            || type instanceof NullType;
  }

  /** Replaces −0.0 and unusual NaNs in the columns that decide, as grouping by them does. */
  private static <T> Dataset<T> normalized(Dataset<T> dataset, List<Attribute> keys) {
    List<Attribute> all = Columns.of(dataset);
    Column[] columns = new Column[all.size()];
    boolean isChanged = false;
    for (int i = 0; i < columns.length; i++) {
      Attribute column = all.get(i);
      Expression grouped =
          keys.contains(column) ? NormalizeFloatingNumbers$.MODULE$.normalize(column) : column;
      columns[i] = ExpressionUtils.column(grouped);
      if (grouped != column) {
        columns[i] = columns[i].as(column.name());
        isChanged = true;
      }
    }
    return isChanged ? dataset.select(columns).as(dataset.encoder()) : dataset;
  }

  /** Returns the first of the rows with equal keys, which is all of Spark's own way. */
  Dataset<T> dropDuplicates(Dataset<T> some) {
    return some.dropDuplicates(names.toArray(String[]::new));
  }
}
