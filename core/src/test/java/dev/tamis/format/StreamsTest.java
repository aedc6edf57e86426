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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that fail, or go on after the filter. */
class StreamsTest {

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
    assertThat(
            BloomFilter.<Long>readFrom(
                new ByteArrayInputStream(file), KeyHasher.longs(), 8L * words))
        .isEqualTo(filter);
  }

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
}
