package dev.tamis.hash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;

/**
 * Per-thread scratch buffer for UTF-8 encoding, so that hashing text allocates nothing. Grows with
 * the text up to {@link #MAX_CHARS} characters, 20 KiB in all.
 */
final class Utf8Buffer {

  // The encoder has an intrinsic for ASCII; only String.getBytes was faster, and that allocates.

  /** The longest text that fits. */
  static final int MAX_CHARS = 4_096;

  private static final int FIRST_CHARS = 256;
  private static final int BYTES_PER_CHAR = 3; // at most, a pair takes four

  private static final ThreadLocal<Utf8Buffer> OF_THREAD = ThreadLocal.withInitial(Utf8Buffer::new);

  private final CharsetEncoder encoder =
      UTF_8.newEncoder().onMalformedInput(CodingErrorAction.REPLACE);
  private char[] chars;
  private byte[] bytes;
  private CharBuffer from;
  private ByteBuffer to;

  private Utf8Buffer() {
    chars = new char[FIRST_CHARS];
    bytes = new byte[FIRST_CHARS * BYTES_PER_CHAR];
    from = CharBuffer.wrap(chars);
    to = ByteBuffer.wrap(bytes);
  }

  /**
   * Returns the calling thread's buffer, which holds {@code text} until the next call. An unpaired
   * surrogate is encoded as {@code ?}.
   *
   * @param text of at most {@link #MAX_CHARS} characters
   */
  static Utf8Buffer of(CharSequence text) {
    Utf8Buffer buffer = OF_THREAD.get();
    buffer.encode(text);
    return buffer;
  }

  /** Returns the array whose first {@link #length} bytes are those of the text. */
  byte[] array() {
    return bytes;
  }

  int length() {
    return to.position();
  }

  private void encode(CharSequence text) {
    int length = text.length();
    if (length > chars.length) {
      chars = new char[Math.min(MAX_CHARS, Integer.highestOneBit(length) * 2)];
      bytes = new byte[chars.length * BYTES_PER_CHAR];
      from = CharBuffer.wrap(chars);
      to = ByteBuffer.wrap(bytes);
    }
    if (text instanceof String string) {
      string.getChars(0, length, chars, 0);
    } else {
      for (int i = 0; i < length; i++) {
        chars[i] = text.charAt(i);
      }
    }
    encoder.reset();
    encoder.encode(from.clear().limit(length), to.clear(), true);
  }
}
