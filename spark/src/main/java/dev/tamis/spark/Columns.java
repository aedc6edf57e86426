package dev.tamis.spark;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.classic.SparkSession;
import scala.Function2;
import scala.jdk.javaapi.CollectionConverters;

/** The columns of a data set by their whole names, which may have dots, and may not be unique. */
final class Columns {

  private Columns() {}

  /** Returns all columns, in their order. */
  static List<Attribute> of(Dataset<?> dataset) {
    return CollectionConverters.asJava(dataset.queryExecution().analyzed().output());
  }

  /** Returns the columns with this name; whether upper case counts is a setting of Spark. */
  static List<Attribute> named(Dataset<?> dataset, String name) {
    Function2<String, String, Object> isSame =
        ((SparkSession) dataset.sparkSession()).sessionState().conf().resolver();
    return of(dataset).stream()
        .filter(column -> (boolean) isSame.apply(column.name(), name))
        .toList();
  }

  /**
   * Returns the columns with these names.
   *
   * @throws IllegalArgumentException if one of them is missing
   */
  static List<Attribute> named(Dataset<?> dataset, List<String> names) {
    return names.stream()
        .flatMap(
            name -> {
              List<Attribute> columns = named(dataset, name);
              if (columns.isEmpty()) {
                throw new IllegalArgumentException(
                    "column "
                        + name
                        + ": must be one of "
                        + String.join(", ", dataset.columns())
                        + "; give its whole name, without quotes");
              }
              return columns.stream();
            })
        .distinct()
        .toList();
  }
}
