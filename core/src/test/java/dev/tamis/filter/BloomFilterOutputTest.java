package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.format.Frame;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file written from parts of the bits is the file of the filter. */
class BloomFilterOutputTest {

  @ParameterizedTest
  @EnumSource
  void isTheFileOfTheFilter(Layout layout) throws Exception {
    BloomFilter<String> filter = filter(layout);
    byte[] file = filter.toByteArray();
    byte[] bits = Arrays.copyOfRange(file, Frame.HEADER_BYTES, file.length - Frame.TRAILER_BYTES);

    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BloomFilterOutput output = new BloomFilterOutput(out, filter.sizing(), filter.hashId());
    output.write(bits, 0, 3);
    output.write(bits, 3, bits.length - 3);
    output.finish();

    assertThat(out.toByteArray()).isEqualTo(file);
  }

  @Test
  void countsItsBytes() throws Exception {
    BloomFilter<String> filter = filter(Layout.SPLIT);
    int bytes = (int) (filter.bitSize() / Byte.SIZE);
    BloomFilterOutput output =
        new BloomFilterOutput(
            new ByteArrayOutputStream(), filter.sizing(), new HashId(HashId.Algorithm.XXH3, 0));
    output.write(new byte[bytes], 0, bytes - 1);
    assertThatThrownBy(output::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageEndingWith("got " + (bytes - 1));
    assertThatThrownBy(() -> output.write(new byte[2], 0, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageEndingWith("got at least " + (bytes + 1));
    output.write(new byte[1], 0, 1);
    output.finish();
  }

  private static BloomFilter<String> filter(Layout layout) {
    BloomFilter<String> filter =
        BloomFilter.<String>builder(KeyHasher.text())
            .expectedKeys(1_000)
            .fpp(0.001)
            .layout(layout)
            .build();
    for (int i = 0; i < 500; i++) {
      filter.put("key " + i);
    }
    return filter;
  }
}
