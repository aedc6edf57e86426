package dev.tamis.spark;

import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.format.Frame;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.If;
import org.apache.spark.sql.types.Decimal;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/** {@code tamis_build(key, expectedKeys, fpp)}: a Bloom filter of the keys of a group. */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class BuildFilter extends FilterAggregate {

  static final String NAME = "tamis_build";

  private transient byte @Nullable [] empty;
  private transient @Nullable KeyArgument key;

  BuildFilter(Seq<Expression> arguments) {
    this(arguments, 0, 0);
  }

  private BuildFilter(Seq<Expression> arguments, int bufferOffset, int inputOffset) {
    super(NAME, arguments, bufferOffset, inputOffset);
  }

  @Override
  FilterAggregate with(Seq<Expression> arguments, int bufferOffset, int inputOffset) {
    return new BuildFilter(arguments, bufferOffset, inputOffset);
  }

  @Override
  public boolean nullable() {
    return false;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.result(
        Arguments.count(children(), "key", "expectedKeys", "fpp")
            .or(() -> Arguments.key(argument(0)))
            .or(this::keyProblem)
            .or(this::sizeProblem));
  }

  private Optional<String> keyProblem() {
    return keyType().length() <= KeyHasher.MAX_RULE_LENGTH
        ? Optional.empty()
        : Optional.of("a key has at most 58 fields, got " + argument(0).dataType().catalogString());
  }

  private String keyType() {
    return KeyTypes.stated(KeyTypes.hashed(argument(0).dataType()));
  }

  private Optional<String> sizeProblem() {
    try {
      long bytes = Frame.bytes(sizing().shape().bits() / Byte.SIZE);
      return bytes <= Storable.MAX_ARRAY_BYTES
          ? Optional.empty()
          : Optional.of(
              "the filter has "
                  + bytes
                  + " bytes, a value of SQL at most "
                  + Storable.MAX_ARRAY_BYTES
                  + "; build it with TamisSpark.keys(...).slicedFilter");
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private Sizing sizing() {
    double keys = number("expectedKeys", argument(1));
    if (keys != Math.rint(keys)) {
      throw new IllegalArgumentException("expectedKeys must be a whole number, got " + keys);
    }
    return Sizing.builder().expectedKeys((long) keys).fpp(number("fpp", argument(2))).solve();
  }

  private static double number(String name, Expression argument) {
    // PIVOT wraps each argument in an IF that is null for the rows of other columns
    Expression constant = argument instanceof If pivoted ? pivoted.trueValue() : argument;
    if (!constant.foldable()) {
      throw new IllegalArgumentException(name + " must be a constant, got " + argument.sql());
    }
    Object value = constant.eval(InternalRow.empty());
    if (value instanceof Decimal decimal) {
      return decimal.toDouble();
    }
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw new IllegalArgumentException(name + " must be a number, got " + argument.sql());
  }

  private byte[] empty() {
    if (empty == null) {
      Sizing sizing = sizing();
      empty =
          BloomFilter.create(new Stating(keyType()), sizing.expectedKeys(), sizing.fpp())
              .toByteArray();
    }
    return empty;
  }

  /** Has a filter state the type of its keys, whose hashes alone are put. */
  private record Stating(String rule) implements KeyHasher<CharSequence> {
    @Override
    public long hash(CharSequence key, HashFunction function) {
      return function.hashText(key);
    }
  }

  @Override
  void add(Buffer buffer, InternalRow input) throws IOException {
    if (key == null) {
      key = KeyArgument.of(argument(0));
    }
    if (key.read(input)) {
      FilterBuffer<?> filter = buffer.filter(empty());
      filter.put(key.hash(filter.function()));
    }
  }

  @Override
  byte[] ofNothing() {
    return empty();
  }
}
