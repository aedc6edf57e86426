package dev.tamis.flink;

import dev.tamis.hash.HashId;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.io.IOException;
import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * The parameters that two runs must share to continue with the same state.
 *
 * @param expectedKeys n, the distinct keys expected; of a window if there is one
 * @param fpp p, the requested false-positive probability
 * @param buckets the number of buckets
 * @param windowMillis W, for how long a key is remembered; 0 if forever
 * @param generations G, the generations of a window; 0 without a window
 * @param layoutId the layout by its id in the file format
 * @param bits m, the bits of the whole array
 * @param hashes k, the bits of a key
 * @param hashAlgorithm the hash function by its id in the file format
 * @param hashNumber its seed, or the id of its key
 * @param keys the label of the hasher; empty if the state is of version 1
 */
record SeenParameters(
    long expectedKeys,
    double fpp,
    int buckets,
    long windowMillis,
    int generations,
    int layoutId,
    long bits,
    int hashes,
    int hashAlgorithm,
    long hashNumber,
    String keys)
    implements Serializable {

  private static final long serialVersionUID = 1;

  SeenParameters withHash(HashId id) {
    return new SeenParameters(
        expectedKeys,
        fpp,
        buckets,
        windowMillis,
        generations,
        layoutId,
        bits,
        hashes,
        id.algorithm().id(),
        id.number(),
        keys);
  }

  Shape shape() {
    return new Shape(Layout.ofId(layoutId), bits, hashes);
  }

  Buckets split() {
    return new Buckets(shape(), buckets);
  }

  private HashId hashId() {
    return new HashId(HashId.Algorithm.ofId(hashAlgorithm), hashNumber);
  }

  /** Returns the first parameter that differs, with both values; empty if all are the same. */
  Optional<String> difference(SeenParameters wanted) {
    if (equals(wanted)) {
      return Optional.empty();
    }
    return difference("expectedKeys", expectedKeys, wanted.expectedKeys)
        .or(() -> difference("fpp", fpp, wanted.fpp))
        .or(() -> difference("hash", hashId(), wanted.hashId()))
        .or(() -> difference("hasher", keys, keys.isEmpty() ? keys : wanted.keys))
        .or(() -> difference("buckets", buckets, wanted.buckets))
        .or(() -> difference("window", windowMillis + " ms", wanted.windowMillis + " ms"))
        .or(() -> difference("generations", generations, wanted.generations))
        .or(() -> difference("layout", layoutId, wanted.layoutId))
        .or(() -> difference("bits", bits, wanted.bits))
        .or(() -> difference("hashes", hashes, wanted.hashes));
  }

  private static Optional<String> difference(String name, Object stored, Object wanted) {
    return Objects.equals(stored, wanted)
        ? Optional.empty()
        : Optional.of(name + ": the state has " + stored + ", the job asks for " + wanted);
  }

  void writeTo(DataOutputView out) throws IOException {
    out.writeLong(expectedKeys);
    out.writeDouble(fpp);
    out.writeInt(buckets);
    out.writeLong(windowMillis);
    out.writeInt(generations);
    out.writeInt(layoutId);
    out.writeLong(bits);
    out.writeInt(hashes);
    out.writeInt(hashAlgorithm);
    out.writeLong(hashNumber);
    out.writeUTF(keys);
  }

  static SeenParameters readFrom(int version, DataInputView in) throws IOException {
    return new SeenParameters(
        in.readLong(),
        in.readDouble(),
        in.readInt(),
        in.readLong(),
        in.readInt(),
        in.readInt(),
        in.readLong(),
        in.readInt(),
        in.readInt(),
        in.readLong(),
        version == 1 ? "" : in.readUTF());
  }
}
