package dev.tamis.flink;

import dev.tamis.filter.BloomFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The length of a filter's file and the file, or 0 before the first key; public for Flink alone.
 */
public final class BuildAccumulatorSerializer extends TypeSerializerSingleton<BuildAccumulator> {

  private static final long serialVersionUID = 1;

  /** For Flink. */
  public BuildAccumulatorSerializer() {}

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public BuildAccumulator createInstance() {
    return new BuildAccumulator();
  }

  @Override
  public BuildAccumulator copy(BuildAccumulator from) {
    BuildAccumulator copy = new BuildAccumulator();
    BloomFilter<Object> filter = from.filter();
    copy.set(filter == null ? null : filter.copy());
    return copy;
  }

  @Override
  public BuildAccumulator copy(BuildAccumulator from, BuildAccumulator reuse) {
    return copy(from);
  }

  @Override
  public int getLength() {
    return -1; // Flink's sign that lengths differ
  }

  @Override
  public void serialize(BuildAccumulator accumulator, DataOutputView target) throws IOException {
    BloomFilter<Object> filter = accumulator.filter();
    if (filter == null) {
      target.writeInt(0);
      return;
    }
    byte[] bytes = filter.toByteArray();
    target.writeInt(bytes.length);
    target.write(bytes);
  }

  @Override
  public BuildAccumulator deserialize(DataInputView source) throws IOException {
    BuildAccumulator accumulator = new BuildAccumulator();
    int length = source.readInt();
    if (length > 0) {
      byte[] bytes = new byte[length];
      source.readFully(bytes);
      accumulator.set(
          BloomFilter.readFrom(new ByteArrayInputStream(bytes), SqlKeys.AS_STATED, length));
    }
    return accumulator;
  }

  @Override
  public BuildAccumulator deserialize(BuildAccumulator reuse, DataInputView source)
      throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    int length = source.readInt();
    target.writeInt(length);
    target.write(source, length);
  }

  @Override
  public TypeSerializerSnapshot<BuildAccumulator> snapshotConfiguration() {
    return new Snapshot();
  }

  /** The snapshot of a serializer without versions; public for Flink alone. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<BuildAccumulator> {
    /** For Flink. */
    public Snapshot() {
      super(BuildAccumulatorSerializer::new);
    }
  }
}
