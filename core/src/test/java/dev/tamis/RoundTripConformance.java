package dev.tamis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.format.FormatException;
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
 * The promises of a filter that is written and read back: nothing is lost, nothing is trusted.
 *
 * @param <F> the type of filter
 */
public abstract class RoundTripConformance<F extends Filter<Long>> {

  /**
   * Returns a filter in room for {@code expectedKeys} at 1 % that holds the first {@code keys} of
   * {@code Keys.hashes(1, …)} and hashes its keys by {@link KeyHasher#longs}.
   */
  protected abstract F filled(long expectedKeys, int keys);

  /** Reads a filter whose keys are hashed by {@link KeyHasher#longs}. */
  protected abstract F read(InputStream in, long maxBytes) throws IOException;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000, 3_000, 100_000})
  void whatIsReadEqualsWhatWasWritten(int keys) throws IOException {
    F written = filled(1_000, keys);

    F read = readAll(bytesOf(written));

    assertThat(read).isEqualTo(written).hasSameHashCodeAs(written).isNotSameAs(written);
    assertThat(read.hashOf(7L)).isEqualTo(written.hashOf(7L));
    assertThat(read.expectedFpp()).isEqualTo(written.expectedFpp());
    assertThat(read.approximateElementCount()).isEqualTo(written.approximateElementCount());
    assertThat(Keys.hashes(1, keys).allMatch(read::mightContainHash)).isTrue();
    assertThat(Keys.hashes(2, 10_000).map(hash -> read.mightContainHash(hash) ? 1 : 0))
        .isEqualTo(
            Keys.hashes(2, 10_000)
                .map(hash -> written.mightContainHash(hash) ? 1 : 0)
                .boxed()
                .toList());
  }

  @Test
  void largeFiltersComeBackToo() throws IOException {
    F written = filled(1_000_000, 100_000);
    assertThat(readAll(bytesOf(written))).isEqualTo(written);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1_000, 100_000})
  void theSizeIsKnownBeforehand(int keys) throws IOException {
    for (long expectedKeys : new long[] {1, 65, 1_000, 100_000}) {
      F filter = filled(expectedKeys, keys);
      assertThat(bytesOf(filter)).hasSize(Math.toIntExact(filter.serializedSize()));
    }
  }

  @Test
  void theArrayHoldsWhatTheStreamGets() throws IOException {
    for (int keys : new int[] {0, 500, 5_000}) {
      F filter = filled(1_000, keys);
      assertThat(filter.toByteArray()).isEqualTo(bytesOf(filter));
    }
  }

  @Test
  void theSameKeysGiveTheSameBytes() throws IOException {
    assertThat(bytesOf(filled(1_000, 500))).isEqualTo(bytesOf(filled(1_000, 500)));
    assertThat(bytesOf(filled(1_000, 500))).isNotEqualTo(bytesOf(filled(1_000, 501)));
  }

  @Test
  void nothingIsReadPastTheEnd() throws IOException {
    F first = filled(1_000, 500);
    F second = filled(2_000, 700);
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
    F written = filled(1_000, 500);
    assertThat(read(new Trickle(bytesOf(written)), Long.MAX_VALUE)).isEqualTo(written);
  }

  @Test
  void streamsStayOpen() throws IOException {
    Unclosable out = new Unclosable();
    F written = filled(100, 50);
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
    F written = filled(10_000, 500);
    byte[] bytes = bytesOf(written);

    assertThat(read(new ByteArrayInputStream(bytes), written.serializedSize())).isEqualTo(written);
    for (long limit : new long[] {written.bitSize() / Byte.SIZE - 1, 1, 0}) {
      assertThatThrownBy(() -> read(new ByteArrayInputStream(bytes), limit))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("at most");
    }
  }

  @Test
  void whatIsCutOffIsRefusedAtEveryLength() throws IOException {
    byte[] bytes = bytesOf(filled(20, 10));
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> readAll(cut)).isInstanceOf(FormatException.class);
    }
  }

  @Test
  void aBitFlippedAnywhereIsNoticed() throws IOException {
    byte[] bytes = bytesOf(filled(20, 10));
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      assertThatThrownBy(() -> readAll(bytes)).isInstanceOf(FormatException.class);
      bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
    }
    assertThat(readAll(bytes)).isEqualTo(filled(20, 10));
  }

  @Test
  void aStreamThatFailsIsNotTakenForDamage() throws IOException {
    byte[] bytes = bytesOf(filled(1_000, 10));
    for (int length : new int[] {0, 10, 200, bytes.length - 1}) {
      InputStream in = new Failing(Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> read(in, Long.MAX_VALUE))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(FormatException.class)
          .hasMessage("pulled out");
    }
  }

  protected final F readAll(byte[] bytes) throws IOException {
    return read(new ByteArrayInputStream(bytes), Long.MAX_VALUE);
  }

  protected static byte[] bytesOf(Filter<Long> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
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

  /** Fails where the bytes end. */
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
