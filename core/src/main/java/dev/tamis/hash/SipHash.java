package dev.tamis.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** SipHash-2-4, see {@link HashFunction#sipHash}. */
final class SipHash implements HashFunction {

  private static final VarHandle WORD_OF_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle WORD_OF_BUFFER =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int ROUNDS_PER_WORD = 2;

  private final HashKey key;

  SipHash(HashKey key) {
    this.key = key;
  }

  @Override
  public HashId id() {
    return new HashId(HashId.Algorithm.SIPHASH, key.id());
  }

  @Override
  public long hashBytes(byte[] bytes, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    long last = 0;
    int wordsEnd = offset + (length & -Long.BYTES);
    for (int at = offset + length - 1; at >= wordsEnd; at--) {
      last = last << Byte.SIZE | Byte.toUnsignedLong(bytes[at]);
    }
    return hash(bytes, offset, 0, 0, length, last);
  }

  @Override
  public long hashBuffer(ByteBuffer buffer) {
    int length = buffer.remaining();
    if (buffer.hasArray()) {
      return hashBytes(buffer.array(), buffer.arrayOffset() + buffer.position(), length);
    }
    long last = 0;
    int wordsEnd = buffer.position() + (length & -Long.BYTES);
    for (int at = buffer.limit() - 1; at >= wordsEnd; at--) {
      last = last << Byte.SIZE | Byte.toUnsignedLong(buffer.get(at));
    }
    return hash(buffer, buffer.position(), 0, 0, length, last);
  }

  @Override
  public long hashText(CharSequence text) {
    if (text.length() > Utf8Buffer.MAX_CHARS) {
      byte[] bytes = text.toString().getBytes(UTF_8);
      return hashBytes(bytes, 0, bytes.length);
    }
    Utf8Buffer utf8 = Utf8Buffer.of(text);
    return hashBytes(utf8.array(), 0, utf8.length());
  }

  @Override
  public long hashInt(int value) {
    return hash(null, 0, 0, 0, Integer.BYTES, Integer.toUnsignedLong(value));
  }

  @Override
  public long hashLong(long value) {
    return hash(null, 0, value, 0, Long.BYTES, 0);
  }

  @Override
  public long hashLongs(long first, long second) {
    return hash(null, 0, first, second, 2 * Long.BYTES, 0);
  }

  /**
   * Hashes words and the remaining bytes. The state is four local variables, since an object was
   * allocated whenever the compiler did not inline one of its methods (NoGarbageTest).
   *
   * @param source a {@code byte[]} or {@code ByteBuffer} with the words, or null for the two given
   * @param last the remaining bytes, fewer than eight
   */
  private long hash(
      @Nullable Object source, int offset, long first, long second, int length, long last) {
    long v0 = 0x736f6d6570736575L ^ key.first();
    long v1 = 0x646f72616e646f6dL ^ key.second();
    long v2 = 0x6c7967656e657261L ^ key.first();
    long v3 = 0x7465646279746573L ^ key.second();
    int words = length / Long.BYTES;
    // after the words come the bytes left with the length, then four rounds with the word 0
    for (int i = 0; i < words + 3; i++) {
      long word = 0;
      if (i < words) {
        word = source == null ? (i == 0 ? first : second) : wordAt(source, offset + i * Long.BYTES);
      } else if (i == words) {
        word = last | (long) length << 56;
      } else if (i == words + 1) {
        v2 ^= 0xff;
      }
      v3 ^= word;
      for (int round = 0; round < ROUNDS_PER_WORD; round++) {
        v0 += v1;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v0 = Long.rotateLeft(v0, 32);
        v2 += v3;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 += v3;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= word;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  private static long wordAt(Object source, int at) {
    return source instanceof byte[] bytes
        ? (long) WORD_OF_BYTES.get(bytes, at)
        : (long) WORD_OF_BUFFER.get((ByteBuffer) source, at);
  }
}
