package dev.tamis.flink;

import java.io.IOException;
import java.util.Optional;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * The version of the state and its parameters, as a checkpoint has them; public for Flink alone.
 *
 * <p>State is continued with the parameters it was written with, or not at all: a filter of other
 * parameters would look for its keys in other places and take all of them as new.
 */
public final class BucketSerializerSnapshot implements TypeSerializerSnapshot<Bucket> {

  /**
   * The version of the bytes: a change of them is another version, and older ones stay readable.
   */
  private static final int VERSION = 2;

  private @Nullable SeenParameters parameters;

  /** For Flink, which then calls {@link #readSnapshot}. */
  public BucketSerializerSnapshot() {}

  BucketSerializerSnapshot(SeenParameters parameters) {
    this.parameters = parameters;
  }

  @Override
  public int getCurrentVersion() {
    return VERSION;
  }

  @Override
  public void writeSnapshot(DataOutputView out) throws IOException {
    parameters().writeTo(out);
  }

  @Override
  public void readSnapshot(int version, DataInputView in, ClassLoader loader) throws IOException {
    if (version < 1 || version > VERSION) {
      throw new IOException(
          "state of Seen: version: must be 1 to "
              + VERSION
              + ", got "
              + version
              + "; it was written by a newer Tamis, restore it with that");
    }
    parameters = SeenParameters.readFrom(version, in);
  }

  @Override
  public TypeSerializer<Bucket> restoreSerializer() {
    return new BucketSerializer(parameters());
  }

  /**
   * Returns that the state can be read as it is.
   *
   * @throws IllegalStateException if it was written with other parameters, naming the first
   */
  @Override
  public TypeSerializerSchemaCompatibility<Bucket> resolveSchemaCompatibility(
      TypeSerializerSnapshot<Bucket> old) {
    if (!(old instanceof BucketSerializerSnapshot stored)) {
      return TypeSerializerSchemaCompatibility.incompatible();
    }
    Optional<String> difference = stored.parameters().difference(parameters());
    if (difference.isPresent()) { // Flink's own message would not say what differs
      throw new IllegalStateException(
          "state of Seen: "
              + difference.get()
              + "; restore with the parameters of the state, or begin without it under another"
              + " uid");
    }
    return TypeSerializerSchemaCompatibility.compatibleAsIs();
  }

  private SeenParameters parameters() {
    if (parameters == null) {
      throw new IllegalStateException("state of Seen: parameters: must be read first");
    }
    return parameters;
  }
}
