package dev.tamis.format;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts that all formats share: fields of a header, bounded input, checksums. */
class CodecTest {

  private static final byte[] FIELDS = {1, -1, 2, -2, 3, -3, 4, -4, 0, 0, 0, 0};

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 8191, 8192, 8193, 20_000})
  void wordsAndChecksumAreReadBack(int count) throws IOException {
    long[] words = new long[count];
    Arrays.setAll(words, i -> i * 0x9E37_79B9_7F4A_7C15L);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodecOutput out = new CodecOutput(bytes);
    out.write(7);
    out.words(words, 0);
    out.finish();

    CodecInput in = input(bytes.toByteArray(), bytes.size());
    assertThat(in.read()).isEqualTo(7);
    long[] back = new long[count];
    in.words("words", back, 0);
    in.expectChecksum();
    in.expectEnd();
    assertThat(back).isEqualTo(words);
    assertThat(in.position()).isEqualTo(bytes.size());
    assertThat(in.left()).isZero();
  }

  @Test
  void numbersHaveTheOrderAndTheSignAskedFor() {
    HeaderFields little = new HeaderFields("thing", 0, FIELDS, ByteOrder.LITTLE_ENDIAN);
    ByteBuffer bytes = Codec.buffer(FIELDS.clone());
    assertThat(little.u8(1)).isEqualTo(255);
    assertThat(little.u16(0)).isEqualTo(0xFF01);
    assertThat(little.i16(0)).isEqualTo((short) 0xFF01);
    assertThat(little.u32(4)).isEqualTo(0xFC04_FD03L);
    assertThat(little.i32(4)).isEqualTo(0xFC04_FD03);
    assertThat(little.i64(0)).isEqualTo(bytes.getLong(0));
    assertThat(little.f64(0)).isEqualTo(bytes.getDouble(0));
    assertThat(new HeaderFields("thing", 0, FIELDS, ByteOrder.BIG_ENDIAN).u16(0)).isEqualTo(0x01FF);
  }

  @Test
  void fieldOfAHeaderIsNamedWithItsOffsetInTheWholeInput() {
    HeaderFields header = new HeaderFields("thing", 100, FIELDS, ByteOrder.LITTLE_ENDIAN);
    assertThatThrownBy(() -> header.expectMagic(new byte[] {1, 2}))
        .hasMessage("not a valid thing: magic at byte 100: expected 0102, got 01ff");
    assertThatThrownBy(() -> header.expectZeros(7, 12))
        .hasMessage("not a valid thing: reserved byte at byte 107: expected 0, got 252");
    assertThatThrownBy(() -> header.expectRange(2, "age", 3, 5, 6))
        .hasMessage("not a valid thing: age at byte 102: expected 3 to 5, got 6");
    assertThatThrownBy(
            () ->
                header.checked(
                    3,
                    "age",
                    () -> {
                      throw new IllegalArgumentException("age must be odd, got 2");
                    }))
        .hasMessage("not a valid thing: age at byte 103: age must be odd, got 2");
  }

  @Test
  void rangeHasBothItsEnds() throws IOException {
    HeaderFields header = new HeaderFields("thing", 0, FIELDS, ByteOrder.LITTLE_ENDIAN);
    header.expectRange(2, "age", 3, 5, 3);
    header.expectRange(2, "age", 3, 5, 5);
    refuses(FormatException.class, () -> header.expectRange(2, "age", 3, 5, 2));
  }

  @Test
  void checksumOfAHeaderIsThatOfAllBytesBeforeIt() throws IOException {
    byte[] bytes = FIELDS.clone();
    Codec.putChecksum(bytes, 8);
    HeaderFields header = new HeaderFields("thing", 0, bytes, ByteOrder.LITTLE_ENDIAN);
    header.expectChecksum(8, "header checksum");
    bytes[3] ^= 1;
    assertThatThrownBy(() -> header.expectChecksum(8, "header checksum"))
        .hasMessageStartingWith("not a valid thing: header checksum at byte 8: expected ");
  }

  @Test
  void lengthIsCheckedBeforeAnythingIsAllocated() throws IOException {
    CodecInput in = input(new byte[100], 100);
    assertThat(in.length("rows", 12, 8)).isEqualTo(96);
    assertThatThrownBy(() -> in.length("rows", 13, 8))
        .hasMessage(
            "not a valid thing: rows at byte 0: expected at most the 100 bytes that are left,"
                + " got 13 of 8");
    assertThatThrownBy(() -> in.length("rows", -1, 8)).isInstanceOf(FormatException.class);
    assertThatThrownBy(() -> in.next("row", 101)).isInstanceOf(FormatException.class);
    assertThat(in.next("row", 100).capacity()).isEqualTo(100);
  }

  @Test
  void lengthNeverPassesThatOfAnArray() throws IOException {
    CodecInput in = input(new byte[0], Long.MAX_VALUE);
    int most = Integer.MAX_VALUE - Long.BYTES;
    assertThat(in.length("bytes", most, 1)).isEqualTo(most);
    assertThatThrownBy(() -> in.length("bytes", most + 1L, 1)).isInstanceOf(FormatException.class);
  }

  @Test
  void truncationNamesTheFieldAndTheByte() {
    CodecInput in = input(new byte[10], Long.MAX_VALUE);
    assertThatThrownBy(() -> in.header("header", 16, ByteOrder.LITTLE_ENDIAN))
        .isInstanceOf(FormatException.class)
        .hasMessage("not a valid thing: header at byte 10: unexpected end of input");
  }

  @Test
  void byteAfterTheEndIsRefused() throws IOException {
    CodecInput in = input(new byte[] {5}, 1);
    assertThatThrownBy(in::expectEnd)
        .hasMessage("not a valid thing: end at byte 0: expected no more bytes, got more");
  }

  @Test
  void skippedBytesCountTowardsTheChecksum() throws IOException {
    byte[] bytes = Arrays.copyOf(FIELDS, 12);
    Codec.putChecksum(bytes, 8);
    CodecInput in = input(bytes, bytes.length);
    in.skipNBytes(8);
    in.expectChecksum();
    assertThat(in.skip(1)).isZero();
  }

  @Test
  void problemWithinAnotherFormatIsNamedByBoth() {
    FormatException inner = new FormatException("filter", 10, "kind", 1, 2);
    FormatException outer = inner.within("block list", "list spam", 500);
    assertThat(outer)
        .hasMessage("not a valid block list: kind of list spam at byte 510: expected 1, got 2")
        .hasCause(inner);
    assertThat(outer.offset()).isEqualTo(510);
  }

  private static CodecInput input(byte[] bytes, long limit) {
    return new CodecInput("thing", new ByteArrayInputStream(bytes), limit);
  }
}
