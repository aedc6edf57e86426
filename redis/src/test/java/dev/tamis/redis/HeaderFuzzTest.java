package dev.tamis.redis;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.HashFunction;
import dev.tamis.HashId;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What a server holds is read or refused, whatever it is. */
class HeaderFuzzTest {

  @FuzzTest
  void anyBytesAreReadOrRefused(byte[] bytes) {
    check(bytes);
    check(repaired(bytes));
  }

  @Test
  void everyFieldAtItsExtremesIsReadOrRefused() {
    for (int at = Long.BYTES; at < Header.BYTES; at++) {
      for (int value : new int[] {0, 1, 2, 127, 128, 255}) {
        byte[] bytes = valid().bytes();
        bytes[at] = (byte) value;
        check(repaired(bytes));
      }
    }
    assertThat(Header.parse(valid().bytes(), "key")).isEqualTo(valid());
  }

  private static Header valid() {
    Sizing sizing = Sizing.ask().expectedKeys(10_000).fpp(0.01).layout(Layout.SPLIT).answer();
    HashId hash = HashFunction.xxh3(3).id();
    int shards = Shards.countFor(sizing.shape(), 1_000);
    return new Header(hash, sizing, shards, shards - 1, 0x0123_4567_89AB_CDEFL);
  }

  private static void check(byte[] bytes) {
    try {
      Header header = Header.parse(bytes, "key");
      assertThat(header.bytes()).isEqualTo(Arrays.copyOf(bytes, Header.BYTES));
      assertThat(header.shard()).isLessThan(header.shards());
    } catch (FilterLostException | FilterMismatchException e) {
      assertThat(e).hasMessageContaining("key");
    }
  }

  /** Makes the stamp and the mark fit, so that what is behind them is read. */
  private static byte[] repaired(byte[] bytes) {
    byte[] header = Arrays.copyOf(bytes, Header.BYTES);
    System.arraycopy(Header.mark(), 0, header, Header.MAGIC_AT, Header.mark().length);
    long hash = HashFunction.xxh3(0).hashBytes(header, Long.BYTES, Header.BYTES - Long.BYTES);
    ByteBuffer.wrap(header).putLong(0, hash == 0 ? 1 : hash);
    return header;
  }
}
