package dev.tamis.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.VariantType;

/**
 * The columns by which rows are repeats of each other, and their hash.
 *
 * <p>The hash is Spark's own {@code xxhash64}, which takes nulls and all types, and is compiled
 * into the query. It never leaves the job.
 *
 * @param names at least one
 */
record RowKeys(List<String> names) {

  /**
   * Returns these columns of {@code dataset}, or all of them if there are none.
   *
   * @throws IllegalArgumentException if equal values of a column may have different hashes
   */
  static RowKeys of(Dataset<?> dataset, String... columns) {
    String[] names = columns.length == 0 ? dataset.columns() : columns;
    if (names.length == 0) {
      throw new IllegalArgumentException("dataset: must have at least one column, got none");
    }
    for (String name : names) {
      requireHashable(name, dataset.select(dataset.col(name)).schema().fields()[0].dataType());
    }
    return new RowKeys(List.of(names));
  }

  private static void requireHashable(String column, DataType type) {
    if (type instanceof ArrayType array) {
      requireHashable(column, array.elementType());
    } else if (type instanceof StructType struct) {
      for (StructField field : struct.fields()) {
        requireHashable(column, field.dataType());
      }
    } else if (type instanceof MapType
        || type instanceof VariantType
        || (type instanceof StringType text && !text.supportsBinaryEquality())) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "column %s: equal values of type %s may have different hashes; use dropDuplicates",
              column,
              type.simpleString()));
    }
  }

  String[] columns() {
    return names.toArray(String[]::new);
  }

  /** Returns the hash of a row of {@code dataset}, 64 bits. */
  Column hash(Dataset<?> dataset) {
    Column[] columns = new Column[names.size()];
    Arrays.setAll(columns, i -> dataset.col(names.get(i)));
    return functions.xxhash64(columns);
  }
}
