package dev.tamis.format;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Parts;
import dev.tamis.filter.FilterView;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that were cut or changed are refused by a view too, as far as it looks at them. */
class DamagedViewTest {

  static Stream<String> viewable() {
    return GoldenFiles.names().filter(name -> !other().toList().contains(name));
  }

  static Stream<String> other() {
    return Stream.concat(
        Stream.of("v1-scalable", "v1-counting", "v1-windowed", "v1-cuckoo", "v1-ribbon"),
        GoldenFiles.SKETCHES.stream());
  }

  @ParameterizedTest
  @MethodSource("viewable")
  void aWholeFileIsTakenAndItsChecksumIsRight(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    FilterView<CharSequence> view = view(file);
    view.verifyChecksum();
    assertThat(view.kind().id()).isEqualTo((int) ReferenceFrame.get(file, 10, 2));
    for (int i = 0; i < GoldenFiles.KEYS; i++) {
      assertThat(view.mightContain(GoldenFiles.key(i))).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("other")
  void kindsThatMustBeReadAreNamed(String name) {
    byte[] file = GoldenFiles.read(name);
    assertThatThrownBy(() -> view(file))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("kind at byte 10: expected one that can be queried in place");
  }

  @ParameterizedTest
  @MethodSource("viewable")
  void everyTruncationIsRefusedWhereItEnds(String name) {
    byte[] file = GoldenFiles.read(name);
    for (int length = 0; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      assertThatThrownBy(() -> view(cut))
          .isInstanceOfSatisfying(
              FormatException.class, e -> assertThat(e.offset()).isIn(16L, (long) cut.length));
    }
  }

  @ParameterizedTest
  @MethodSource("viewable")
  void oneByteTooManyIsRefused(String name) {
    byte[] file = GoldenFiles.read(name);
    byte[] longer = Arrays.copyOf(file, file.length + 1);
    assertThatThrownBy(() -> view(longer))
        .isInstanceOf(FormatException.class)
        .hasMessage(
            "not a valid filter: end at byte %d: expected no more bytes, got more", file.length);
  }

  /** A flipped bit of the payload is seen where it must be zero, and by the checksum elsewhere. */
  @ParameterizedTest
  @MethodSource("viewable")
  void everyFlippedBitIsRefusedOnOpeningOrByTheChecksum(String name) throws IOException {
    byte[] file = GoldenFiles.read(name);
    for (int bit = 0; bit < Byte.SIZE * file.length; bit++) {
      byte[] damaged = file.clone();
      damaged[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      if (bit < Byte.SIZE * Frame.HEADER_BYTES) {
        assertThatThrownBy(() -> view(damaged)).isInstanceOf(FormatException.class);
      } else {
        refuses(FormatException.class, () -> view(damaged).verifyChecksum());
        FuzzedView.check(damaged, 64);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1, 7, 17592186044416", "2, 32, 17592186044416", "3, 6, 17592186044416",
    "4, 8, 17592186044416", "6, 16, 17592186044416", "4, 8, 1048576",
  })
  void claimsBeyondTheFileAreRefused(int layout, int hashes, long bits) {
    byte[] small = ReferenceFrame.Bloom.empty(layout, hashes, 1024L * hashes, 0, 1, 0.5).toBytes();
    ReferenceFrame.set(small, 32, 8, bits);
    byte[] bitsOnly = Bytes.repaired(small);
    refuses(FormatException.class, () -> view(bitsOnly), "payload length at byte 16");
    ReferenceFrame.set(small, 16, 8, 8 * ((bits + 63) / 64));
    byte[] both = Bytes.repaired(small);
    refuses(FormatException.class, () -> view(both), "at most " + both.length + " bytes");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MAX_VALUE, Long.MAX_VALUE - 131, Long.MIN_VALUE, -1})
  void payloadsBeyondAllBoundsAreRefused(long payload) {
    byte[] lying = Bytes.repaired(Bytes.with(GoldenFiles.read("v1-split"), 16, 8, payload));
    refuses(FormatException.class, () -> view(lying), "got " + Long.toUnsignedString(payload));
  }

  @Test
  void partsMustBeAlike() {
    byte[] file = GoldenFiles.read("v1-classic");
    for (int size : new int[] {1, 8, 32, 63, 65, 96}) {
      assertThatThrownBy(() -> FilterView.of(Parts.of(file, size), KeyHasher.text()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a power of two from 64")
          .hasMessageContaining("got " + size + " bytes first");
    }
    for (int[] sizes : new int[][] {{64, 128}, {64, 64, 65}, {64, 32, 64}, {128, 64, 64}}) {
      List<ByteBuffer> parts = Arrays.stream(sizes).mapToObj(ByteBuffer::allocate).toList();
      refuses(() -> FilterView.of(parts, KeyHasher.text()), sizes[sizes.length - 1] + " last");
    }
    assertThatCode(() -> FilterView.of(Parts.of(file, 64), KeyHasher.text()))
        .doesNotThrowAnyException();
  }

  @Test
  void noPartsAreNoFilter() {
    assertThatThrownBy(() -> FilterView.of(List.of(), KeyHasher.text()))
        .isInstanceOf(FormatException.class)
        .hasMessage("not a valid filter: header at byte 0: unexpected end of input");
  }

  private static FilterView<CharSequence> view(byte[] file) throws IOException {
    return FilterView.of(Parts.of(file, 64), KeyHasher.text());
  }
}
