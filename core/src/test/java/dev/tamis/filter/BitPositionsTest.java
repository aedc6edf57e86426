package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.format.Frame;
import dev.tamis.sizing.Layout;
import java.util.Arrays;
import java.util.BitSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BitPositionsTest {

  @ParameterizedTest
  @EnumSource
  void anArrayFilledByThemIsThePayloadOfTheFile(Layout layout) {
    BloomFilter<Long> filter = filter(layout);
    BitPositions positions = BitPositions.of(filter.shape());
    BitSet bits = new BitSet();
    Keys.hashes(1, 500)
        .forEach(
            hash -> {
              filter.putHash(hash);
              for (int i = 0; i < positions.count(); i++) {
                bits.set(Math.toIntExact(positions.position(hash, i)));
              }
            });

    byte[] file = filter.toByteArray();
    byte[] payload =
        Arrays.copyOfRange(file, Frame.HEADER_BYTES, file.length - Frame.TRAILER_BYTES);
    assertThat(Arrays.copyOf(bits.toByteArray(), payload.length)).isEqualTo(payload);
    assertThat(positions.count()).isEqualTo(filter.shape().hashes());
  }

  @ParameterizedTest
  @EnumSource
  void thereAreNoneBeforeTheFirstAndAfterTheLast(Layout layout) {
    BitPositions positions = BitPositions.of(filter(layout).shape());
    refuses(IndexOutOfBoundsException.class, () -> positions.position(1, -1));
    refuses(IndexOutOfBoundsException.class, () -> positions.position(1, positions.count()));
  }

  private static BloomFilter<Long> filter(Layout layout) {
    return new BloomSpec(layout, true).create(500, 0.01);
  }
}
