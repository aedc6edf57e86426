package dev.tamis.spark;

import static java.util.Objects.requireNonNull;

import dev.tamis.hash.KeyHasher;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The columns of a data set that make up a key, with the hasher of the same keys outside of Spark.
 *
 * <p>A column is given by its whole name, which may have dots, or as an argument of {@link
 * Dataset#col}. Its type must be the one named, since the bytes of a number and of its digits have
 * different hashes; smaller integers are widened. A row with a null in one of the columns has no
 * key.
 *
 * @param <T> the type of key
 */
public final class KeyColumns<T> {

  private final KeyHasher<T> hasher;
  private final List<Field> fields;
  private final boolean isStruct;

  private KeyColumns(KeyHasher<T> hasher, List<Field> fields, boolean isStruct) {
    this.hasher = hasher;
    this.fields = fields;
    this.isStruct = isStruct;
  }

  private static <T> KeyColumns<T> single(KeyHasher<T> hasher, String column, DataType type) {
    return new KeyColumns<>(hasher, List.of(new Field(column, type)), false);
  }

  /** Returns a key of one column of text, hashed as {@link KeyHasher#text}. */
  public static KeyColumns<CharSequence> text(String column) {
    return single(KeyHasher.text(), column, DataTypes.StringType);
  }

  /** Returns a key of one column of type bigint, hashed as {@link KeyHasher#longs}. */
  public static KeyColumns<Long> longs(String column) {
    return single(KeyHasher.longs(), column, DataTypes.LongType);
  }

  /** Returns a key of one column of type int, hashed as {@link KeyHasher#ints}. */
  public static KeyColumns<Integer> ints(String column) {
    return single(KeyHasher.ints(), column, DataTypes.IntegerType);
  }

  /** Returns a key of one column of type binary, hashed as {@link KeyHasher#bytes}. */
  public static KeyColumns<byte[]> bytes(String column) {
    return single(KeyHasher.bytes(), column, DataTypes.BinaryType);
  }

  /**
   * Returns a key of several columns, hashed as {@link KeyHasher#fields}. Outside of a data set the
   * key is a row of the values in this order.
   *
   * @throws IllegalArgumentException if there are none, or one of them has several columns itself
   */
  public static KeyColumns<Row> fields(KeyColumns<?>... columns) {
    for (KeyColumns<?> column : columns) {
      if (column.isStruct) {
        throw new IllegalArgumentException(
            "a field must be one column, got " + column + "; list its columns instead");
      }
    }
    KeyHasher<Row>[] hashers = newArray(columns.length);
    Arrays.setAll(hashers, i -> field(columns[i].hasher, i));
    List<Field> fields = Arrays.stream(columns).map(column -> column.fields.get(0)).toList();
    return new KeyColumns<>(KeyHasher.fields(hashers), fields, true);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no generic arrays
  private static KeyHasher<Row>[] newArray(int length) {
    return new KeyHasher[length];
  }

  private static <F> KeyHasher<Row> field(KeyHasher<F> hasher, int index) {
    return hasher.on((Function<Row, F> & Serializable) row -> row.<F>getAs(index));
  }

  /** Returns the hasher of the same keys outside of Spark. */
  public KeyHasher<T> hasher() {
    return hasher;
  }

  /**
   * Returns the key as one column of {@code dataset}.
   *
   * @throws IllegalArgumentException if a column has another type than the one named
   */
  Column of(Dataset<?> dataset) {
    Column[] columns = new Column[fields.size()];
    Arrays.setAll(columns, i -> fields.get(i).of(dataset));
    return isStruct ? functions.struct(columns) : columns[0];
  }

  @Override
  public String toString() {
    return fields.toString();
  }

  /** A column and the type it must have. */
  private record Field(String column, DataType type) {

    Field {
      requireNonNull(column, "column");
    }

    Column of(Dataset<?> dataset) {
      List<Attribute> named = Columns.named(dataset, column);
      Column found = named.size() == 1 ? ExpressionUtils.column(named.get(0)) : dataset.col(column);
      DataType actual = dataset.select(found).schema().fields()[0].dataType();
      if (!KeyTypes.fits(actual, type)) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "column %s: must be of type %s, got %s; cast it, or name its own type",
                column,
                type.simpleString(),
                actual.simpleString()));
      }
      KeyReader.refusal(KeyTypes.hashed(actual))
          .ifPresent(
              message -> {
                throw new IllegalArgumentException("column " + column + ": " + message);
              });
      return actual.equals(type) ? found : found.cast(type);
    }

    @Override
    public String toString() {
      return column + " " + type.simpleString();
    }
  }
}
