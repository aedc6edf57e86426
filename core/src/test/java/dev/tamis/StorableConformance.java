package dev.tamis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of what is written and read back: nothing is lost, nothing is trusted.
 *
 * @param <S> the type of filter or sketch
 */
public abstract class StorableConformance<S extends Storable> {

  /** The expected keys of a filter that is damaged at every bit; half as many are put. */
  public static final int DAMAGED_KEYS = 20;

  /**
   * Returns one that holds the first {@code keys} of {@code Keys.hashes(1, …)} and hashes its keys
   * by {@link KeyHasher#longs}; if it is a filter, in room for {@code expectedKeys} at 1 %.
   */
  protected abstract S filled(long expectedKeys, int keys);

  /** Reads one whose keys are hashed by {@link KeyHasher#longs}. */
  protected abstract S read(InputStream in, long maxBytes) throws IOException;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000, 3_000, 100_000})
  void whatIsReadEqualsWhatWasWritten(int keys) throws IOException {
    S written = filled(1_000, keys);

    S read = readAll(bytesOf(written));

    assertThat(read).isEqualTo(written).hasSameHashCodeAs(written).isNotSameAs(written);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000, 100_000})
  void theSizeIsKnownBeforehand(int keys) throws IOException {
    for (long expectedKeys : new long[] {1, 65, 1_000, 100_000}) {
      S written = filled(expectedKeys, keys);
      assertThat(bytesOf(written)).hasSize(Math.toIntExact(written.serializedSize()));
    }
  }

  @Test
  void theArrayHoldsWhatTheStreamGets() throws IOException {
    for (int keys : new int[] {0, 500, 5_000}) {
      S written = filled(1_000, keys);
      assertThat(written.toByteArray()).isEqualTo(bytesOf(written));
    }
  }

  @Test
  void theSameKeysGiveTheSameBytes() throws IOException {
    assertThat(bytesOf(filled(1_000, 500))).isEqualTo(bytesOf(filled(1_000, 500)));
    assertThat(bytesOf(filled(1_000, 500))).isNotEqualTo(bytesOf(filled(1_000, 600)));
  }

  @Test
  void nothingIsReadPastTheEnd() throws IOException {
    S first = filled(1_000, 500);
    S second = filled(2_000, 700);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    first.writeTo(out);
    second.writeTo(out);
    out.write(42);
    InputStream in = new ByteArrayInputStream(out.toByteArray());

    assertThat(read(in, Long.MAX_VALUE)).isEqualTo(first);
    assertThat(read(in, Long.MAX_VALUE)).isEqualTo(second);
    assertThat(in.read()).isEqualTo(42);
  }

  @Test
  void streamsThatGiveOneByteAtATimeWillDo() throws IOException {
    S written = filled(1_000, 500);
    assertThat(read(new Trickle(bytesOf(written)), Long.MAX_VALUE)).isEqualTo(written);
  }

  @Test
  void streamsStayOpen() throws IOException {
    Unclosable out = new Unclosable();
    S written = filled(100, 50);
    written.writeTo(out);
    assertThat(out.flushed).isTrue();
    InputStream in =
        new ByteArrayInputStream(out.bytes.toByteArray()) {
          @Override
          public void close() {
            throw new AssertionError("closed");
          }
        };
    assertThat(read(in, Long.MAX_VALUE)).isEqualTo(written);
  }

  @Test
  void theCallersLimitHolds() throws IOException {
    S written = filled(10_000, 500);
    byte[] bytes = bytesOf(written);

    assertThat(read(new ByteArrayInputStream(bytes), written.serializedSize())).isEqualTo(written);
    for (long limit : new long[] {written.serializedSize() - Frame.bytes(0) - 1, 1, 0}) {
      refuses(FormatException.class, () -> read(new ByteArrayInputStream(bytes), limit), "at most");
    }
  }

  @Test
  void whatIsCutOffIsRefusedAtEveryLength() throws IOException {
    byte[] bytes = bytesOf(filled(DAMAGED_KEYS, DAMAGED_KEYS / 2));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      refuses(FormatException.class, () -> readAll(cut));
    }
  }

  @Test
  void aBitFlippedAnywhereIsNoticed() throws IOException {
    byte[] bytes = bytesOf(filled(DAMAGED_KEYS, DAMAGED_KEYS / 2));
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      refuses(FormatException.class, () -> readAll(bytes));
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    }
    assertThat(readAll(bytes)).isEqualTo(filled(DAMAGED_KEYS, DAMAGED_KEYS / 2));
  }

  @Test
  void aStreamThatFailsIsNotTakenForDamage() throws IOException {
    byte[] bytes = bytesOf(filled(1_000, 500));
    for (int length : new int[] {0, 10, 200, bytes.length - 1}) {
      InputStream in = new Failing(Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> read(in, Long.MAX_VALUE))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(FormatException.class)
          .hasMessage("pulled out");
    }
  }

  protected final S readAll(byte[] bytes) throws IOException {
    return read(new ByteArrayInputStream(bytes), Long.MAX_VALUE);
  }

  protected static byte[] bytesOf(Storable written) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    written.writeTo(out);
    return out.toByteArray();
  }

  /** Gives a byte at a time, as a slow line does. */
  private static final class Trickle extends ByteArrayInputStream {

    Trickle(byte[] bytes) {
      super(bytes);
    }

    @Override
    public synchronized int read(byte[] target, int offset, int length) {
      return super.read(target, offset, Math.min(1, length));
    }
  }

  private static final class Failing extends FilterInputStream {

    Failing(byte[] bytes) {
      super(new ByteArrayInputStream(bytes));
    }

    @Override
    public int read() throws IOException {
      return orFail(super.read());
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      return orFail(super.read(target, offset, length));
    }

    private static int orFail(int result) throws IOException {
      if (result < 0) {
        throw new IOException("pulled out");
      }
      return result;
    }
  }

  /** Tells whether it was flushed, and must not be closed. */
  private static final class Unclosable extends OutputStream {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean flushed;

    @Override
    public void write(int next) {
      bytes.write(next);
      flushed = false;
    }

    @Override
    public void flush() {
      flushed = true;
    }

    @Override
    public void close() {
      throw new AssertionError("closed");
    }
  }
}
