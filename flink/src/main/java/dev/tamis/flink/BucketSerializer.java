package dev.tamis.flink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a {@link Bucket}: keys and number of words, then the words as a file has them.
 *
 * <p>What all buckets have in common is in the {@link BucketSerializerSnapshot}, once for a
 * checkpoint.
 */
final class BucketSerializer extends TypeSerializer<Bucket> {

  private static final long serialVersionUID = 1;

  private final SeenParameters parameters;
  private final int maxWords;
  private transient byte @Nullable [] scratch;

  BucketSerializer(SeenParameters parameters) {
    this.parameters = parameters;
    this.maxWords = parameters.split().maxWords();
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<Bucket> duplicate() {
    return new BucketSerializer(parameters); // for another thread, which needs its own scratch
  }

  @Override
  public Bucket createInstance() {
    return new Bucket(0, new long[0]);
  }

  @Override
  public Bucket copy(Bucket from) {
    return from.copy();
  }

  @Override
  public Bucket copy(Bucket from, Bucket reuse) {
    return from.copy();
  }

  @Override
  public int getLength() {
    return -1; // Flink's sign that lengths differ
  }

  @Override
  public void serialize(Bucket bucket, DataOutputView target) throws IOException {
    long[] words = bucket.words();
    byte[] bytes = scratch();
    target.writeLong(bucket.keys());
    target.writeInt(words.length);
    littleEndian(bytes).asLongBuffer().put(words);
    target.write(bytes, 0, words.length * Long.BYTES);
  }

  @Override
  public Bucket deserialize(DataInputView source) throws IOException {
    long keys = source.readLong();
    long[] words = new long[readLength(source)];
    byte[] bytes = scratch();
    source.readFully(bytes, 0, words.length * Long.BYTES);
    littleEndian(bytes).asLongBuffer().get(words);
    return new Bucket(keys, words);
  }

  @Override
  public Bucket deserialize(Bucket reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    target.writeLong(source.readLong());
    int words = readLength(source);
    target.writeInt(words);
    target.write(source, words * Long.BYTES);
  }

  private int readLength(DataInputView source) throws IOException {
    int words = source.readInt();
    if (words < 1 || words > maxWords) {
      throw new IOException(
          "state of Seen: words of a bucket: must be 1 to "
              + maxWords
              + ", got "
              + words
              + "; restore another checkpoint, this one is damaged");
    }
    return words;
  }

  private byte[] scratch() {
    byte[] bytes = scratch;
    if (bytes == null) {
      bytes = new byte[maxWords * Long.BYTES];
      scratch = bytes;
    }
    return bytes;
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof BucketSerializer other && parameters.equals(other.parameters);
  }

  @Override
  public int hashCode() {
    return Objects.hash(parameters);
  }

  @Override
  public TypeSerializerSnapshot<Bucket> snapshotConfiguration() {
    return new BucketSerializerSnapshot(parameters);
  }
}
