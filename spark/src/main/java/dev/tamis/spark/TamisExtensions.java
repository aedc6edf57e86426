package dev.tamis.spark;

import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import scala.Tuple3;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * The functions of SQL for all sessions of a cluster: the value of {@code spark.sql.extensions}.
 *
 * <p>{@link TamisSpark#register} adds the same functions to one session.
 */
public final class TamisExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {

  private static final List<Entry> FUNCTIONS =
      List.of(
          new Entry(
              BuildFilter.NAME,
              "_FUNC_(key, expectedKeys, fpp) - Returns a Bloom filter of the keys of a group.",
              BuildFilter::new),
          new Entry(
              MergeFilters.NAME,
              "_FUNC_(filter) - Returns the filters or sketches of a group merged.",
              MergeFilters::new),
          new Entry(
              MightContain.NAME,
              "_FUNC_(filter, key) - Returns false if the key is certainly not in the filter.",
              MightContain::new),
          new Entry(
              TextOverlap.NAME,
              "_FUNC_(filter, text, minWords) - Returns the share of the text's n-grams that are"
                  + " in the filter.",
              TextOverlap::new),
          new Entry(
              DescribeFilter.Subject.INFO.functionName(),
              "_FUNC_(filter) - Returns the parameters, keys and fpp of a filter.",
              arguments -> new DescribeFilter(DescribeFilter.Subject.INFO, arguments)),
          new Entry(
              DescribeFilter.Subject.COUNT.functionName(),
              "_FUNC_(filter) - Returns about how many distinct keys a filter has.",
              arguments -> new DescribeFilter(DescribeFilter.Subject.COUNT, arguments)));

  /** For Spark, which creates it by its name. */
  public TamisExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    for (Entry entry : FUNCTIONS) {
      extensions.injectFunction(
          new Tuple3<>(entry.identifier(), entry.info(), entry.builder::apply));
    }
    return BoxedUnit.UNIT;
  }

  static void register(SparkSession session) {
    FunctionRegistry registry =
        ((org.apache.spark.sql.classic.SparkSession) session).sessionState().functionRegistry();
    for (Entry entry : FUNCTIONS) {
      // chooses the namespace, and knows no help
      registry.createOrReplaceTempFunction(entry.name, entry.builder::apply, "java_udf");
      for (FunctionIdentifier function : CollectionConverters.asJava(registry.listFunction())) {
        if (function.funcName().equals(entry.name)) {
          boolean unused = registry.dropFunction(function);
          registry.registerFunction(function, entry.info(), entry.builder::apply);
        }
      }
    }
  }

  /** A function and its help, as {@code DESCRIBE FUNCTION} shows it. */
  private record Entry(String name, String usage, Function<Seq<Expression>, Expression> builder) {

    FunctionIdentifier identifier() {
      return new FunctionIdentifier(name);
    }

    ExpressionInfo info() {
      return new ExpressionInfo(
          TamisExtensions.class.getName(), null, name, usage, "", "", "", "", "", "", "");
    }
  }
}
