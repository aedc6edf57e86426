package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Storable;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that give little, fail, or go on after the filter. */
class StreamsTest {

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void oneByteAtATimeIsEnough(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    assertThat(Bytes.read(new Trickle(file))).isEqualTo(GoldenFiles.filter(name));
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void whatFollowsTheFilterIsLeftUnread(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    ByteArrayInputStream in = new ByteArrayInputStream(Arrays.copyOf(file, file.length + 1_000));
    assertThat(Bytes.read(in)).isEqualTo(GoldenFiles.filter(name));
    assertThat(in.available()).isEqualTo(1_000);
  }

  @Test
  void filtersFollowOneAnother() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (String name : GoldenFiles.NAMES) {
      ((Storable) GoldenFiles.filter(name)).writeTo(out);
    }
    ByteArrayInputStream in = new ByteArrayInputStream(out.toByteArray());
    for (String name : GoldenFiles.NAMES) {
      assertThat(Bytes.read(in)).isEqualTo(GoldenFiles.filter(name));
    }
    assertThat(in.available()).isZero();
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void failureOfTheInputComesThroughAsItIs(String name) {
    byte[] file = GoldenFiles.read(name);
    for (int length = 0; length < file.length; length++) {
      IOException failure = new IOException("the cable was pulled");
      InputStream in =
          new SequenceInputStream(
              new ByteArrayInputStream(file, 0, length), new BrokenInput(failure));
      assertThatThrownBy(() -> Bytes.read(in)).isSameAs(failure);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void failureOfTheOutputComesThroughAsItIs(String name) {
    Storable filter = (Storable) GoldenFiles.filter(name);
    for (int length = 0; length < filter.serializedSize(); length++) {
      IOException failure = new IOException("the disk is full");
      OutputStream out = new FullDisk(length, failure);
      assertThatThrownBy(() -> filter.writeTo(out)).isSameAs(failure);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void outputIsFlushedAndLeftOpen(String name) throws IOException {
    Watched out = new Watched();
    ((Storable) GoldenFiles.filter(name)).writeTo(out);
    assertThat(out.unflushed).isZero();
    assertThat(out.closed).isFalse();
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void inputIsLeftOpen(String name) throws IOException {
    Trickle in = new Trickle(GoldenFiles.read(name));
    Bytes.read(in);
    assertThat(in.closed).isFalse();
  }

  /** Payload goes through a buffer of 8192 words. */
  @ParameterizedTest
  @ValueSource(ints = {1, 8_191, 8_192, 8_193, 16_383, 16_384, 16_385})
  void payloadOfAnyLengthGoesThroughTheBuffer(int words) throws IOException {
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(Layout.CLASSIC)
            .bits(64L * words)
            .hashes(4)
            .build();
    for (long key = 0; key < 8L * words; key++) {
      filter.put(key);
    }
    byte[] file = Bytes.of(filter);
    assertThat(file).hasSize(128 + 8 * words + 4);
    assertThat(BloomFilter.<Long>readFrom(new Trickle(file), KeyHasher.longs(), 8L * words))
        .isEqualTo(filter);
  }

  /** An input that returns one byte for every read, however many are requested. */
  private static final class Trickle extends ByteArrayInputStream {
    private boolean closed;

    Trickle(byte[] bytes) {
      super(bytes);
    }

    @Override
    public synchronized int read(byte[] bytes, int offset, int length) {
      return super.read(bytes, offset, Math.min(1, length));
    }

    @Override
    public int readNBytes(byte[] bytes, int offset, int length) {
      int count = 0;
      while (count < length && read(bytes, offset + count, 1) == 1) {
        count++;
      }
      return count;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** An input that has nothing but a failure. */
  private static final class BrokenInput extends InputStream {
    private final IOException failure;

    BrokenInput(IOException failure) {
      this.failure = failure;
    }

    @Override
    public int read() throws IOException {
      throw failure;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      throw failure;
    }
  }

  /** An output that takes so many bytes and no more. */
  private static final class FullDisk extends OutputStream {
    private final IOException failure;
    private long left;

    FullDisk(long left, IOException failure) {
      this.left = left;
      this.failure = failure;
    }

    @Override
    public void write(int b) throws IOException {
      if (left-- <= 0) {
        throw failure;
      }
    }
  }

  /** An output that knows what was done to it. */
  private static final class Watched extends OutputStream {
    private long unflushed;
    private boolean closed;

    @Override
    public void write(int b) {
      unflushed++;
    }

    @Override
    public void flush() {
      unflushed = 0;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
