package dev.tamis.spark;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.corpus.TextUnits;
import dev.tamis.corpus.UnitRule;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * {@code tamis_overlap(filter, text, minWords)}: the share of the keys of a text that are in a
 * filter of n-grams, paragraphs or documents.
 *
 * <p>The filter states how keys are made of a text. A text without keys, of fewer words or null has
 * the share 0. A null filter gives null.
 */
@SuppressWarnings("serial") // Spark's expressions declare no version either
final class TextOverlap extends FilterExpression {

  static final String NAME = "tamis_overlap";

  private transient @Nullable OpenedFilter opened;
  private transient @Nullable Shares shares;

  TextOverlap(Seq<Expression> arguments) {
    super(NAME, arguments);
  }

  @Override
  FilterExpression with(Seq<Expression> arguments) {
    return new TextOverlap(arguments);
  }

  @Override
  public DataType dataType() {
    return DataTypes.DoubleType;
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.result(
        Arguments.count(children(), "filter", "text", "minWords")
            .or(() -> Arguments.binary(argument(0)))
            .or(() -> expect("text: must be a string", argument(1), StringType.class))
            .or(() -> expect("minWords: must be an int", argument(2), IntegerType.class))
            .or(() -> Arguments.filter(argument(0), bytes -> rule(OpenedFilter.hashed(bytes)))));
  }

  private static Optional<String> expect(
      String rule, Expression argument, Class<? extends DataType> type) {
    DataType found = argument.dataType();
    return type.isInstance(found) || found instanceof NullType
        ? Optional.empty()
        : Optional.of(rule + ", got " + found.simpleString());
  }

  private static UnitRule rule(HashedFilter<?> filter) {
    String stated = filter.hasher().keyType();
    try {
      return UnitRule.parse(stated);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "filter: must state how keys are made of texts, as tamis corpus build does, got '"
              + stated
              + "'",
          e);
    }
  }

  @Override
  public @Nullable Object eval(InternalRow input) {
    byte[] bytes = (byte[]) argument(0).eval(input);
    if (bytes == null) {
      return null;
    }
    UTF8String text = (UTF8String) argument(1).eval(input);
    Object minWords = argument(2).eval(input);
    if (opened == null) {
      opened = new OpenedFilter();
    }
    int least = minWords == null ? 0 : (int) minWords;
    try {
      HashedFilter<?> filter = opened.of(bytes);
      if (shares == null || shares.filter != filter || shares.minWords != least) {
        shares = new Shares(filter, least);
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(NAME + ": " + e.getMessage(), e);
    }
    return text == null ? 0.0 : shares.of(text.getBytes());
  }

  /** Returns the share in a filter that is broadcast; see {@link MightContain#broadcast}. */
  static <F extends HashedFilter<?> & Storable> Column column(
      Dataset<?> dataset, F filter, Column text, int minWords) {
    UnitRule unused = rule(filter);
    return ExpressionUtils.column(
        new TextOverlap(
            Arguments.of(
                List.of(
                    MightContain.broadcast(dataset, filter),
                    ExpressionUtils.expression(text),
                    new Literal(minWords, DataTypes.IntegerType)))));
  }

  /** The shares of texts in one filter. */
  private static final class Shares {

    private final HashedFilter<?> filter;
    private final int minWords;
    private final TextUnits units;
    private boolean[] answers = {};

    Shares(HashedFilter<?> filter, int minWords) {
      this.filter = filter;
      this.minWords = minWords;
      this.units = TextUnits.of(rule(filter), filter).minWords(minWords).build();
    }

    double of(byte[] text) {
      units.clear();
      units.add(text, 0, text.length);
      int keys = units.keyCount();
      if (answers.length < keys) {
        answers = new boolean[2 * keys];
      }
      filter.mightContainHashes(units.keys(), keys, answers);
      int known = 0;
      for (int i = 0; i < keys; i++) {
        known += answers[i] ? 1 : 0;
      }
      return keys == 0 ? 0 : (double) known / keys;
    }
  }
}
