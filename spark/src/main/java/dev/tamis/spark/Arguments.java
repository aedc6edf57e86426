package dev.tamis.spark;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NullType;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Checks of the arguments of functions of SQL, which say what was expected and what was found. */
final class Arguments {

  private Arguments() {}

  static Seq<Expression> of(List<Expression> arguments) {
    return CollectionConverters.asScala(arguments).toSeq();
  }

  static List<Expression> list(Seq<Expression> arguments) {
    return CollectionConverters.asJava(arguments);
  }

  static Seq<Expression> cloned(Seq<Expression> arguments) {
    return of(list(arguments).stream().map(Expression::clone).toList());
  }

  static TypeCheckResult result(Optional<String> problem) {
    return problem
        .<TypeCheckResult>map(TypeCheckResult.TypeCheckFailure::new)
        .orElse(TypeCheckResult.TypeCheckSuccess$.MODULE$);
  }

  static Optional<String> count(Seq<Expression> arguments, String... names) {
    return arguments.length() == names.length
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "needs %d arguments, %s, got %d",
                names.length,
                String.join(", ", names),
                arguments.length()));
  }

  static Optional<String> binary(Expression argument) {
    DataType type = argument.dataType();
    return type instanceof BinaryType || type instanceof NullType
        ? Optional.empty()
        : Optional.of(
            "filter: must be binary, the bytes of a Tamis file, got " + type.simpleString());
  }

  /**
   * Checks an argument that is a filter, and with it what is said of it. A literal is read: its
   * errors are those of the query then, rather than of tasks that are repeated.
   */
  static Optional<String> filter(Expression argument, Consumer<byte[]> check) {
    return binary(argument)
        .or(
            () -> {
              try {
                if (argument instanceof Literal literal
                    && literal.value() instanceof byte[] bytes) {
                  check.accept(bytes);
                }
                return Optional.empty();
              } catch (IllegalArgumentException e) {
                return Optional.of(String.valueOf(e.getMessage()));
              }
            });
  }

  static Optional<String> key(Expression argument) {
    DataType type = argument.dataType();
    return type instanceof NullType
        ? Optional.of("key: must have a type; cast the null to that of the filter's keys")
        : KeyReader.refusal(KeyTypes.hashed(type)).map(message -> "key: " + message);
  }
}
