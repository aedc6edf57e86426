package dev.tamis.flink;

import dev.tamis.sizing.Checks;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.functions.FunctionDefinition;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.ArgumentTypeStrategy;
import org.apache.flink.table.types.inference.CallContext;
import org.apache.flink.table.types.inference.InputTypeStrategies;
import org.apache.flink.table.types.inference.Signature;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.table.types.inference.TypeStrategies;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.jspecify.annotations.Nullable;

/** The arguments of the functions, whose types and literals are checked when a query is planned. */
enum SqlArgument implements ArgumentTypeStrategy {
  FILTER("filter", "BYTES, or STRING for the path of a file"),
  KEY("key", "STRING, BIGINT, INT, SMALLINT, TINYINT or BYTES"),
  EXPECTED_KEYS("expectedKeys", "a whole number"),
  FPP("fpp", "a number");

  private final String label;
  private final String expected;

  SqlArgument(String label, String expected) {
    this.label = label;
    this.expected = expected;
  }

  /** Starts the types of a function. */
  static TypeInference.Builder inference(DataType output, SqlArgument... arguments) {
    List<String> labels = Arrays.stream(arguments).map(argument -> argument.label).toList();
    return TypeInference.newBuilder()
        .inputTypeStrategy(InputTypeStrategies.sequence(labels, List.of(arguments)))
        .outputTypeStrategy(TypeStrategies.explicit(output));
  }

  @Override
  public Optional<DataType> inferArgumentType(CallContext call, int position, boolean throwing) {
    LogicalType type = call.getArgumentDataTypes().get(position).getLogicalType();
    DataType accepted = accepted(type.getTypeRoot());
    if (accepted == null) {
      return call.fail(
          throwing, "%s: must be %s, got %s; use CAST", label, expected, type.asSummaryString());
    }
    try {
      if (isNumber() && call.isArgumentLiteral(position)) {
        call.getArgumentValue(position, Double.class).ifPresent(this::check);
      }
    } catch (UnsupportedOperationException e) {
      return Optional.of(accepted); // a later phase of an aggregation, where literals are unknown
    } catch (IllegalArgumentException e) {
      return call.fail(throwing, "%s", e.getMessage());
    }
    return Optional.of(accepted);
  }

  private boolean isNumber() {
    return this == EXPECTED_KEYS || this == FPP;
  }

  /** Returns the type that values are converted to; null if they are refused. */
  private @Nullable DataType accepted(LogicalTypeRoot root) {
    return switch (root) {
      case CHAR, VARCHAR -> isNumber() ? null : DataTypes.STRING();
      case BINARY, VARBINARY -> isNumber() ? null : DataTypes.BYTES();
      case NULL -> this == KEY ? DataTypes.STRING() : this == FILTER ? DataTypes.BYTES() : null;
      case TINYINT, SMALLINT, INTEGER -> numeric(DataTypes.INT());
      case BIGINT -> numeric(DataTypes.BIGINT());
      case DECIMAL, FLOAT, DOUBLE -> isNumber() ? DataTypes.DOUBLE() : null;
      default -> null;
    };
  }

  private @Nullable DataType numeric(DataType ofKey) {
    return this == KEY ? ofKey : isNumber() ? DataTypes.DOUBLE() : null;
  }

  private void check(double value) {
    if (this == EXPECTED_KEYS) {
      long unused = expectedKeys(value);
    } else {
      double unused = Checks.fpp(value);
    }
  }

  static long expectedKeys(double keys) {
    if (keys != Math.rint(keys)) {
      throw new IllegalArgumentException("expectedKeys must be a whole number, got " + keys);
    }
    return Checks.expectedKeys((long) keys);
  }

  @Override
  public Signature.Argument getExpectedArgument(FunctionDefinition function, int position) {
    return Signature.Argument.of(label, "<" + expected + ">");
  }
}
