package dev.tamis.interop;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** Another program's hash of the bytes that our functions hash too. */
abstract class ForeignHash implements HashFunction {

  private final HashId id;

  ForeignHash(HashId id) {
    this.id = id;
  }

  abstract long hash(byte[] bytes, int offset, int length);

  @Override
  public final HashId id() {
    return id;
  }

  @Override
  public final long hashBytes(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    return hash(bytes, offset, length);
  }

  @Override
  public final long hashBuffer(ByteBuffer buffer) {
    if (buffer.hasArray()) {
      return hash(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
    }
    byte[] copy = new byte[buffer.remaining()];
    buffer.get(buffer.position(), copy);
    return hash(copy, 0, copy.length);
  }

  /** Copies the text, as the other programs do. */
  @Override
  public final long hashText(CharSequence text) {
    byte[] utf8 = text.toString().getBytes(UTF_8);
    return hash(utf8, 0, utf8.length);
  }

  @Override
  public final long hashInt(int value) {
    return hash(bytes(Integer.BYTES).putInt(value).array(), 0, Integer.BYTES);
  }

  @Override
  public final long hashLong(long value) {
    return hash(bytes(Long.BYTES).putLong(value).array(), 0, Long.BYTES);
  }

  @Override
  public final long hashLongs(long first, long second) {
    byte[] both = bytes(2 * Long.BYTES).putLong(first).putLong(second).array();
    return hash(both, 0, both.length);
  }

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
  }
}
