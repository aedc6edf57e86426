package dev.tamis.spark;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.classic.ExpressionUtils;

/** Queries of a filter that is broadcast once, as columns. */
final class Queries {

  private Queries() {}

  /**
   * Returns whether the key might be in the filter, which goes to each executor as its bytes.
   *
   * @throws IllegalArgumentException if the filter has a secret key
   */
  static <F extends HashedFilter<?> & Storable> Column mightContain(
      Dataset<?> dataset, F filter, Column key) {
    FilterBuffer.requireUnkeyed(filter.hashId());
    JavaSparkContext context =
        JavaSparkContext.fromSparkContext(dataset.sparkSession().sparkContext());
    return ExpressionUtils.column(
        new MightContain(
            Arguments.of(
                List.of(
                    new BroadcastFilter(context.broadcast(filter.toByteArray())),
                    ExpressionUtils.expression(key)))));
  }
}
