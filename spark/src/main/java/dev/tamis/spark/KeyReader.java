package dev.tamis.spark;

import dev.tamis.hash.HashFunction;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.SpecializedGetters;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;

/**
 * Hashes a value of Spark's internal form as {@link dev.tamis.hash.KeyHasher} hashes the same key.
 *
 * <p>A value is not a key if it is null, or a struct with a null field.
 */
sealed interface KeyReader extends Serializable {

  /** The types of keys, for messages. */
  String TYPES = "string, bigint, int, binary, or a struct of those";

  boolean isNull(SpecializedGetters row, int ordinal);

  /** Returns the hash of the value at {@code ordinal}, which is a key. */
  long hash(SpecializedGetters row, int ordinal, HashFunction function);

  /** Returns why values of this type cannot be keys, and the remedy; empty if they can. */
  static Optional<String> refusal(DataType type) {
    if (type instanceof StringType text) {
      // hashes are of bytes, and such texts are equal in spite of different ones
      return text.supportsBinaryEquality()
          ? Optional.empty()
          : Optional.of(refused(type) + "; add COLLATE UTF8_BINARY to compare by bytes");
    }
    if (type instanceof StructType struct) {
      if (struct.length() == 0) {
        return Optional.of("a key needs at least one field, got " + type.sql());
      }
      return Arrays.stream(struct.fields())
          .flatMap(field -> refusal(field.dataType()).stream())
          .findFirst();
    }
    boolean isKey =
        type instanceof LongType || type instanceof IntegerType || type instanceof BinaryType;
    return isKey
        ? Optional.empty()
        : Optional.of(refused(type) + "; cast it to the type that the other users of it hash");
  }

  private static String refused(DataType type) {
    return "a key must be of type " + TYPES + ", got " + type.sql().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the reader of values of this type.
   *
   * @throws IllegalArgumentException if they cannot be keys
   */
  static KeyReader of(DataType type) {
    refusal(type)
        .ifPresent(
            message -> {
              throw new IllegalArgumentException(message);
            });
    if (type instanceof StructType struct) {
      return Fields.of(struct);
    }
    return type instanceof StringType
        ? Scalar.TEXT
        : type instanceof LongType
            ? Scalar.LONG
            : type instanceof IntegerType ? Scalar.INT : Scalar.BYTES;
  }

  /** The readers of single values. */
  @SuppressWarnings("ImmutableEnumChecker") // the lambdas capture nothing
  enum Scalar implements KeyReader {
    TEXT((row, at, by) -> hash(row.getUTF8String(at).getBytes(), by)),
    LONG((row, at, by) -> by.hashLong(row.getLong(at))),
    INT((row, at, by) -> by.hashInt(row.getInt(at))),
    BYTES((row, at, by) -> hash(row.getBinary(at), by));

    private final Hash hash;

    Scalar(Hash hash) {
      this.hash = hash;
    }

    private interface Hash {
      long of(SpecializedGetters row, int ordinal, HashFunction function);
    }

    private static long hash(byte[] bytes, HashFunction function) {
      return function.hashBytes(bytes, 0, bytes.length);
    }

    @Override
    public long hash(SpecializedGetters row, int ordinal, HashFunction function) {
      return hash.of(row, ordinal, function);
    }

    @Override
    public boolean isNull(SpecializedGetters row, int ordinal) {
      return row.isNullAt(ordinal);
    }
  }

  /** The reader of structs, as {@link dev.tamis.hash.KeyHasher#fields} hashes them. */
  @SuppressWarnings("serial") // an immutable list of readers is serializable
  record Fields(List<KeyReader> fields) implements KeyReader {

    static Fields of(StructType struct) {
      return new Fields(
          Arrays.stream(struct.fields()).map(field -> KeyReader.of(field.dataType())).toList());
    }

    @Override
    public boolean isNull(SpecializedGetters row, int ordinal) {
      if (row.isNullAt(ordinal)) {
        return true;
      }
      SpecializedGetters struct = row.getStruct(ordinal, fields.size());
      for (int i = 0; i < fields.size(); i++) {
        if (fields.get(i).isNull(struct, i)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public long hash(SpecializedGetters row, int ordinal, HashFunction function) {
      SpecializedGetters struct = row.getStruct(ordinal, fields.size());
      long hash = fields.size();
      for (int i = 0; i < fields.size(); i++) {
        hash = function.hashLongs(hash, fields.get(i).hash(struct, i, function));
      }
      return hash;
    }
  }
}
