package dev.tamis.flink;

import dev.tamis.filter.BloomFilter;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.AggregateFunction;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.inference.TypeInference;
import org.apache.flink.table.types.inference.TypeStrategies;
import org.jspecify.annotations.Nullable;

/**
 * {@code TAMIS_BUILD(key, expectedKeys, fpp)}: the filter of all keys, as the bytes of its file.
 *
 * <p>Null keys are left out; where there are no others, the result is null. expectedKeys and fpp
 * must be the same in every row. The input must be append-only: rows cannot be retracted.
 */
public final class BuildFunction extends AggregateFunction<byte[], BuildAccumulator> {

  private static final long serialVersionUID = 1;

  private static final String NAME = TamisTable.BUILD;

  /** For Flink. */
  public BuildFunction() {}

  @Override
  public TypeInference getTypeInference(DataTypeFactory types) {
    DataType accumulator = DataTypes.RAW(BuildAccumulator.class, new BuildAccumulatorSerializer());
    return SqlArgument.inference(
            DataTypes.BYTES(), SqlArgument.KEY, SqlArgument.EXPECTED_KEYS, SqlArgument.FPP)
        .accumulatorTypeStrategy(TypeStrategies.explicit(accumulator))
        .build();
  }

  @Override
  public BuildAccumulator createAccumulator() {
    return new BuildAccumulator();
  }

  /**
   * Puts a key.
   *
   * @param key text, a long, an int or bytes; left out if it is null
   * @param expectedKeys n, the distinct keys expected
   * @param fpp p, the false-positive probability
   */
  public void accumulate(
      BuildAccumulator accumulator,
      @Nullable Object key,
      @Nullable Double expectedKeys,
      @Nullable Double fpp) {
    if (key == null) {
      return;
    }
    if (expectedKeys == null || fpp == null) {
      throw new ValidationException(NAME + ": expectedKeys and fpp: must be numbers, got NULL");
    }
    BloomFilter<Object> filter = accumulator.filter();
    if (filter == null) {
      filter = create(SqlKeys.of(key), expectedKeys, fpp);
      accumulator.set(filter);
    } else if (filter.expectedKeys() != expectedKeys || filter.fpp() != fpp) {
      throw new ValidationException(
          NAME
              + ": expectedKeys and fpp: must be the same in every row, got "
              + expectedKeys.longValue()
              + " and "
              + fpp
              + " after "
              + filter.expectedKeys()
              + " and "
              + filter.fpp());
    }
    boolean unused = filter.put(key);
  }

  private static BloomFilter<Object> create(SqlKeys keys, double expectedKeys, double fpp) {
    try {
      return BloomFilter.<Object>builder(keys)
          .expectedKeys(SqlArgument.expectedKeys(expectedKeys))
          .fpp(fpp)
          .singleThreaded()
          .build();
    } catch (IllegalArgumentException e) {
      throw new ValidationException(NAME + ": " + e.getMessage(), e);
    }
  }

  /** Merges the filters of several tasks. */
  public void merge(BuildAccumulator accumulator, Iterable<BuildAccumulator> others) {
    for (BuildAccumulator other : others) {
      BloomFilter<Object> filter = accumulator.filter();
      BloomFilter<Object> added = other.filter();
      if (filter == null) {
        accumulator.set(added == null ? null : added.copy());
      } else if (added != null) {
        filter.putAll(added);
      }
    }
  }

  /** Resets the accumulator. */
  public void resetAccumulator(BuildAccumulator accumulator) {
    accumulator.set(null);
  }

  @Override
  public byte @Nullable [] getValue(BuildAccumulator accumulator) {
    BloomFilter<Object> filter = accumulator.filter();
    return filter == null ? null : filter.toByteArray();
  }
}
