package dev.tamis.flink;

import dev.tamis.Filter;
import dev.tamis.HashedFilter;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.Filters;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.DataTypeFactory;
import org.apache.flink.table.functions.ScalarFunction;
import org.apache.flink.table.types.inference.TypeInference;
import org.jspecify.annotations.Nullable;

/**
 * {@code TAMIS_MIGHT_CONTAIN(filter, key)}: false if the key is certainly not in the filter.
 *
 * <p>The filter is the bytes of a file, or as a STRING the path of one, on every machine that runs
 * a task; it is read once in each task. A null key is in no filter; a null filter gives null.
 */
public final class MightContainFunction extends ScalarFunction {

  private static final long serialVersionUID = 1;

  private static final String NAME = TamisTable.MIGHT_CONTAIN;

  private transient @Nullable Read last;

  /** For Flink. */
  public MightContainFunction() {}

  @Override
  public TypeInference getTypeInference(DataTypeFactory types) {
    return SqlArgument.inference(DataTypes.BOOLEAN(), SqlArgument.FILTER, SqlArgument.KEY).build();
  }

  /**
   * Queries a filter that is a value.
   *
   * @param filter the bytes of a filter's file
   * @param key text, a long, an int or bytes
   */
  public @Nullable Boolean eval(byte @Nullable [] filter, @Nullable Object key) {
    if (filter == null) {
      return null;
    }
    Read read = last;
    if (read == null || !Arrays.equals(read.bytes(), filter)) {
      read = new Read(filter, "", read(filter));
      last = read;
    }
    return mightContain(read, key);
  }

  /**
   * Queries a filter in a file.
   *
   * @param path the path of a filter's file
   * @param key text, a long, an int or bytes
   */
  public @Nullable Boolean eval(@Nullable String path, @Nullable Object key) {
    if (path == null) {
      return null;
    }
    Read read = last;
    if (read == null || !read.path().equals(path)) {
      read = new Read(new byte[0], path, load(path));
      last = read;
    }
    return mightContain(read, key);
  }

  private static boolean mightContain(Read read, @Nullable Object key) {
    if (key == null) {
      return false;
    }
    return read.filter()
        .mightContain(SqlKeys.asStated(NAME, key, read.filter().hasher().keyType()));
  }

  private static HashedFilter<Object> read(byte[] bytes) {
    try {
      return hashed(
          Filters.readFrom(new ByteArrayInputStream(bytes), SqlKeys.AS_STATED, bytes.length));
    } catch (IOException e) {
      throw new ValidationException(NAME + ": " + e.getMessage(), e);
    }
  }

  private static HashedFilter<Object> load(String path) {
    try {
      return hashed(FilterFile.load(Path.of(path), SqlKeys.AS_STATED));
    } catch (IOException e) {
      throw new ValidationException(NAME + ": " + e.getMessage(), e);
    }
  }

  private static HashedFilter<Object> hashed(Filter<Object> filter) {
    if (filter instanceof HashedFilter<Object> hashed) {
      return hashed;
    }
    throw new ValidationException(
        NAME + ": filter: must be one that is queried by a 64-bit hash, got " + filter);
  }

  /** The filter of the row before: most often all rows have the same. */
  @SuppressWarnings("ArrayRecordComponent") // never compared as a record
  private record Read(byte[] bytes, String path, HashedFilter<Object> filter) {}
}
