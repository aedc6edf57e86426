package dev.tamis.spark;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * The types of keys, as a query has them and as a file states them.
 *
 * <p>Equal numbers of different types have different hashes. So a filter that a query has built
 * states the type of its keys, integers are widened to it, and keys of another type are refused.
 */
final class KeyTypes {

  private static final Map<Character, DataType> SCALARS =
      Map.of(
          't', DataTypes.StringType,
          'l', DataTypes.LongType,
          'i', DataTypes.IntegerType,
          'b', DataTypes.BinaryType);

  private KeyTypes() {}

  /** Returns the type that keys of this type are hashed as: of integers, at least an int. */
  static DataType hashed(DataType type) {
    if (type instanceof StructType struct) {
      return struct(Arrays.stream(struct.fields()).map(f -> hashed(f.dataType())).toList());
    }
    return type instanceof ByteType || type instanceof ShortType ? DataTypes.LongType : type;
  }

  /** Returns whether values of a type are keys of the type wanted, widened if they are integers. */
  static boolean fits(DataType actual, DataType wanted) {
    if (wanted instanceof StructType fields) {
      return actual instanceof StructType struct
          && struct.length() == fields.length()
          && IntStream.range(0, fields.length())
              .allMatch(i -> fits(struct.fields()[i].dataType(), fields.fields()[i].dataType()));
    }
    boolean isSmall = actual instanceof ByteType || actual instanceof ShortType;
    return wanted instanceof StringType
        ? actual instanceof StringType
        : actual.equals(wanted)
            || (wanted instanceof IntegerType && isSmall)
            || (wanted instanceof LongType && (isSmall || actual instanceof IntegerType));
  }

  /** Returns how a file states this type, which is one that keys are hashed as. */
  static String stated(DataType type) {
    if (type instanceof StructType struct) {
      return Arrays.stream(struct.fields())
          .map(field -> stated(field.dataType()))
          .collect(Collectors.joining("", "(", ")"));
    }
    return type instanceof StringType
        ? "t"
        : type instanceof LongType ? "l" : type instanceof IntegerType ? "i" : "b";
  }

  /**
   * Returns the type that a file states.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  static DataType ofStated(String stated) {
    Deque<List<DataType>> open = new ArrayDeque<>(List.of(new ArrayList<>()));
    for (int i = 0; i < stated.length(); i++) {
      char letter = stated.charAt(i);
      if (letter == '(') {
        open.push(new ArrayList<>());
      } else {
        DataType type = letter == ')' ? struct(open.pop()) : SCALARS.get(letter);
        if (type == null || open.isEmpty()) {
          throw unknown(stated);
        }
        open.element().add(type);
      }
    }
    if (open.size() > 1 || open.element().size() != 1) {
      throw unknown(stated);
    }
    return open.element().get(0);
  }

  private static StructType struct(List<DataType> types) {
    StructField[] fields = new StructField[types.size()];
    Arrays.setAll(fields, i -> DataTypes.createStructField("_" + (i + 1), types.get(i), true));
    return new StructType(fields);
  }

  private static IllegalArgumentException unknown(String stated) {
    return new IllegalArgumentException(
        "filter: states keys of the unknown type " + stated + "; build it again");
  }
}
