package dev.tamis.spark;

import dev.tamis.format.KeyTypeField;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

  /** Returns why a type is too long to be stated; empty if it can be. */
  static Optional<String> tooLong(DataType type) {
    return stated(type).length() <= KeyTypeField.MAX_LENGTH
        ? Optional.empty()
        : Optional.of("a key has at most 58 fields, got " + type.catalogString());
  }

  /**
   * Returns the type that a file states.
   *
   * @throws IllegalArgumentException if it is none
   */
  static DataType ofStated(String stated) {
    int[] at = {0};
    DataType type = parse(stated, at);
    if (at[0] != stated.length()) {
      throw unknown(stated);
    }
    return type;
  }

  private static DataType parse(String stated, int[] at) {
    if (at[0] == stated.length()) {
      throw unknown(stated);
    }
    switch (stated.charAt(at[0]++)) {
      case 't' -> {
        return DataTypes.StringType;
      }
      case 'l' -> {
        return DataTypes.LongType;
      }
      case 'i' -> {
        return DataTypes.IntegerType;
      }
      case 'b' -> {
        return DataTypes.BinaryType;
      }
      case '(' -> {
        List<DataType> fields = new ArrayList<>();
        while (at[0] < stated.length() && stated.charAt(at[0]) != ')') {
          fields.add(parse(stated, at));
        }
        at[0]++;
        return struct(fields);
      }
      default -> throw unknown(stated);
    }
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
