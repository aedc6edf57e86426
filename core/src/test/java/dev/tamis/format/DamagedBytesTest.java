package dev.tamis.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.Thorough;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes that were cut or changed on the way are refused, wherever it happened. */
class DamagedBytesTest {

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void everyTruncationIsRefused(String name) {
    byte[] file = GoldenFiles.read(name);
    for (int length = 0; length < file.length; length++) {
      FormatException refusal = Refusals.ofAllReaders(Arrays.copyOf(file, length));
      assertThat(refusal).hasMessageContaining("unexpected end of input");
      assertThat(refusal.offset()).isEqualTo(length);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void everyFlippedBitIsRefused(String name) {
    byte[] file = GoldenFiles.read(name);
    for (int bit = 0; bit < 8 * file.length; bit += Thorough.or(5, 1)) {
      byte[] damaged = file.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      Refusals.ofAllReaders(damaged);
    }
  }

  @ParameterizedTest
  @MethodSource("dev.tamis.format.GoldenFiles#names")
  void everyByteLostOrDoubledIsRefused(String name) {
    byte[] file = GoldenFiles.read(name);
    for (int at = 0; at < file.length; at++) {
      byte[] lost = new byte[file.length - 1];
      System.arraycopy(file, 0, lost, 0, at);
      System.arraycopy(file, at + 1, lost, at, lost.length - at);
      Refusals.of(lost);

      byte[] doubled = Arrays.copyOf(file, file.length + 1);
      System.arraycopy(file, at, doubled, at + 1, file.length - at);
      if (!Arrays.equals(Arrays.copyOf(doubled, file.length), file)) { // the last byte is no damage
        Refusals.of(doubled);
      }
    }
  }

  @Test
  void textIsRefusedAtItsFirstByte() {
    byte[] text = "this is not a filter, however long it may be ".repeat(20).getBytes(UTF_8);
    FormatException refusal = Refusals.of(text);
    assertThat(refusal.offset()).isZero();
    assertThat(refusal).hasMessageStartingWith("not a valid filter: magic at byte 0: expected ");
  }

  @Test
  void nothingIsRefused() {
    assertThat(Refusals.of(new byte[0]))
        .hasMessage("not a valid filter: header at byte 0: unexpected end of input");
  }

  @Test
  void oneKindIsNotTheOther() {
    assertThatThrownBy(() -> BloomFilter.readFrom(in("v1-scalable"), KeyHasher.text(), Bytes.LIMIT))
        .isInstanceOf(FormatException.class)
        .hasMessage("not a valid filter: kind at byte 10: expected 1, got 2");
    assertThatThrownBy(
            () -> ScalableBloomFilter.readFrom(in("v1-split"), KeyHasher.text(), Bytes.LIMIT))
        .isInstanceOf(FormatException.class)
        .hasMessage("not a valid filter: kind at byte 10: expected 2, got 1");
  }

  @ParameterizedTest
  @ValueSource(ints = {64, 65, 100, 127, 128})
  void bitsPastTheEndAreRefused(int bits) throws IOException {
    byte[] file =
        Bytes.of(
            BloomFilter.<CharSequence>builder(KeyHasher.text())
                .layout(Layout.CLASSIC)
                .bits(bits)
                .hashes(3)
                .build());
    for (int bit = 0; bit < (bits + 63) / 64 * 64; bit++) {
      byte[] changed = file.clone();
      changed[128 + bit / 8] |= (byte) (1 << (bit % 8));
      changed = Bytes.repaired(changed);
      if (bit < bits) {
        assertThat(Bytes.of(Bytes.read(changed))).isEqualTo(changed);
      } else {
        FormatException refusal = Refusals.of(changed);
        assertThat(refusal.offset()).isEqualTo(128 + bit / 64 * 8);
        assertThat(refusal)
            .hasMessageContaining("last word")
            .hasMessageContaining("zeros past bit");
      }
    }
  }

  @Test
  void messageNamesTheFieldTheOffsetAndBothValues() {
    FormatException refusal = new FormatException("filter", 17, "colour", "blue", 3);
    assertThat(refusal)
        .hasMessage("not a valid filter: colour at byte 17: expected blue, got 3")
        .isInstanceOf(IOException.class);
    assertThat(refusal.offset()).isEqualTo(17);
  }

  private static InputStream in(String name) {
    return new ByteArrayInputStream(GoldenFiles.read(name));
  }
}
