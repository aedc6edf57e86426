package dev.tamis.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/**
 * SipHash-2-4: a hash that cannot be predicted without its key.
 *
 * @see <a href="https://doi.org/10.1007/978-3-642-34931-7_28">Aumasson, Bernstein 2012, SipHash: a
 *     fast short-input PRF</a>
 */
final class SipHash implements HashFunction {

  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

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
    State state = new State(key);
    int wordsEnd = offset + (length & -Long.BYTES);
    for (int at = offset; at < wordsEnd; at += Long.BYTES) {
      state.mix((long) WORD.get(bytes, at));
    }
    long last = 0;
    for (int i = offset + length - 1; i >= wordsEnd; i--) {
      last = last << Byte.SIZE | Byte.toUnsignedLong(bytes[i]);
    }
    return state.finish(last, length);
  }

  @Override
  public long hashBuffer(ByteBuffer buffer) {
    if (buffer.hasArray()) {
      return hashBytes(
          buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
    }
    State state = new State(key);
    boolean reversed = buffer.order() == ByteOrder.BIG_ENDIAN;
    int wordsEnd = buffer.position() + (buffer.remaining() & -Long.BYTES);
    for (int at = buffer.position(); at < wordsEnd; at += Long.BYTES) {
      long word = buffer.getLong(at);
      state.mix(reversed ? Long.reverseBytes(word) : word);
    }
    long last = 0;
    for (int at = buffer.limit() - 1; at >= wordsEnd; at--) {
      last = last << Byte.SIZE | Byte.toUnsignedLong(buffer.get(at));
    }
    return state.finish(last, buffer.remaining());
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
    return new State(key).finish(Integer.toUnsignedLong(value), Integer.BYTES);
  }

  @Override
  public long hashLong(long value) {
    State state = new State(key);
    state.mix(value);
    return state.finish(0, Long.BYTES);
  }

  @Override
  public long hashLongs(long first, long second) {
    State state = new State(key);
    state.mix(first);
    state.mix(second);
    return state.finish(0, 2 * Long.BYTES);
  }

  /** The state of four words; does not escape a call, so that it stays on the stack. */
  private static final class State {

    private static final int ROUNDS_PER_WORD = 2;
    private static final int LAST_ROUNDS = 4;

    private long v0;
    private long v1;
    private long v2;
    private long v3;

    State(HashKey key) {
      v0 = 0x736f6d6570736575L ^ key.first();
      v1 = 0x646f72616e646f6dL ^ key.second();
      v2 = 0x6c7967656e657261L ^ key.first();
      v3 = 0x7465646279746573L ^ key.second();
    }

    void mix(long word) {
      v3 ^= word;
      rounds(ROUNDS_PER_WORD);
      v0 ^= word;
    }

    /** Takes in the bytes that are left, fewer than eight, and the length modulo 256. */
    long finish(long bytes, int length) {
      mix(bytes | (long) length << 56);
      v2 ^= 0xff;
      rounds(LAST_ROUNDS);
      return v0 ^ v1 ^ v2 ^ v3;
    }

    private void rounds(int count) {
      for (int i = 0; i < count; i++) {
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
    }
  }
}
