package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.crawler.queue.SeenKeys.Lookup;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChangeCodecTest {

  private final ChangeCodec codec = new ChangeCodec();

  static List<Change> changes() {
    return List.of(
        new Change.Accepted(
            new QueuedUrl(1, "h", "http://h/\u00e9", 0), "http://h/", Optional.empty()),
        new Change.Accepted(new QueuedUrl(2, "", "http://g/", 0), "http://g/", Optional.empty()),
        new Change.Marked("http://f/", Optional.empty()),
        new Change.Delivered("h", 1),
        new Change.Returned("", 2, 3),
        new Change.Claimed("h", "http://h/#x", "http://h/"),
        new Change.Settled("http://h/", Change.Outcome.ACCEPTED),
        new Change.Settled("", Change.Outcome.DOUBTFUL),
        new Change.Settled("a", Change.Outcome.DUPLICATE));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void decodesWhatItEncoded(Change change) {
    assertThat(decode(codec.encode(change))).isEqualTo(change);
  }

  @ParameterizedTest
  @MethodSource("changes")
  void rejectsEveryTruncationAndWhatIsLeftOver(Change change) {
    byte[] whole = codec.encode(change);
    for (int length = 0; length <= whole.length + 1; length++) {
      if (length != whole.length) {
        byte[] cut = Arrays.copyOf(whole, length);
        assertThatThrownBy(() -> decode(cut))
            .as("%d of %d bytes", length, whole.length)
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void numbersAreLittleEndian() {
    byte[] returned = codec.encode(new Change.Returned("h", 0x0102, 0x0304));
    assertThat(HexFormat.of().formatHex(returned))
        .isEqualTo("05" + "0201000000000000" + "0403000000000000" + "01000000" + "68");
  }

  @Test
  void aLookupIsNotEncoded() {
    Lookup lookup = new Lookup(7, SeenKeys.Outcome.NEW);
    assertThat(codec.encode(new Change.Marked("k", Optional.of(lookup))))
        .isEqualTo(codec.encode(new Change.Marked("k", Optional.empty())));
  }

  @Test
  void saysWhatIsMalformed() {
    assertThatThrownBy(() -> decode(new byte[] {10}))
        .hasMessageContaining("type: must be 1 to 9, got 10");
    assertThatThrownBy(() -> decode(new byte[] {3, -1, 0, 0, 0}))
        .hasMessageContaining("text length: must be at most 0, got 255");
    assertThatThrownBy(() -> decode(new byte[] {3, 1, 0, 0, 0, -1}))
        .hasMessageContaining("text: must be UTF-8");
  }

  private Change decode(byte[] bytes) {
    return codec.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }
}
