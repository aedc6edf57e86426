package dev.tamis.redis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.tamis.fuzz.InputBudget;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashId;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Sizing;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a server holds is read or refused, whatever it is. */
class HeaderFuzzTest {

  @FuzzTest(maxDuration = "10m")
  void anyBytesAreReadOrRefused(byte[] bytes) {
    InputBudget.check(bytes.length, () -> read(bytes));
  }

  private void read(byte[] bytes) {
    check(bytes);
    check(repaired(bytes));
    check(repairedWindow(bytes));
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

  @Test
  void everyFieldOfAWindowAtItsExtremesIsReadOrRefused() {
    for (int at = Long.BYTES; at < Header.WINDOW_BYTES; at++) {
      for (int value : new int[] {0, 1, 2, 127, 128, 255}) {
        byte[] bytes = validWindow().bytes();
        bytes[at] = (byte) value;
        check(repairedWindow(bytes));
      }
    }
    assertThat(Header.parse(validWindow().bytes(), "key")).isEqualTo(validWindow());
  }

  @ParameterizedTest
  @ValueSource(ints = {63, 64, 127})
  void aWindowThatIsCutShortIsNoFilter(int length) {
    byte[] cut = Arrays.copyOf(validWindow().bytes(), length);
    refuses(FilterMismatchException.class, () -> Header.parse(cut, "key"));
  }

  private static Header validWindow() {
    Header plain = valid();
    return new Header(
        plain.hashId(),
        plain.sizing(),
        plain.shards(),
        plain.shard(),
        plain.epoch(),
        new Rotation(4, 3_000));
  }

  private static byte[] repairedWindow(byte[] bytes) {
    byte[] header = Arrays.copyOf(bytes, Header.WINDOW_BYTES);
    System.arraycopy(validWindow().bytes(), Header.MAGIC_AT, header, Header.MAGIC_AT, 4);
    long hash = HashFunction.xxh3(0).hashBytes(header, Long.BYTES, Header.PERIOD_AT - Long.BYTES);
    ByteBuffer.wrap(header).putLong(0, hash == 0 ? 1 : hash);
    return header;
  }

  private static Header valid() {
    Sizing sizing = Sizing.builder().expectedKeys(10_000).fpp(0.01).layout(Layout.SPLIT).solve();
    HashId hash = HashFunction.xxh3(3).id();
    int shards = Shards.countFor(sizing.shape(), 1, 1_000);
    return new Header(hash, sizing, shards, shards - 1, 0x0123_4567_89AB_CDEFL);
  }

  private static void check(byte[] bytes) {
    try {
      Header header = Header.parse(bytes, "key");
      assertThat(header.bytes()).isEqualTo(withoutPeriod(bytes, header.size()));
      assertThat(header.shard()).isLessThan(header.shards());
    } catch (FilterLostException | FilterMismatchException e) {
      assertThat(e).hasMessageContaining("key");
    }
  }

  /** Returns the header alone, without the period, which is not what it says but where it is. */
  private static byte[] withoutPeriod(byte[] bytes, int size) {
    byte[] header = Arrays.copyOf(bytes, size);
    for (int at = Header.PERIOD_AT; at < size; at++) {
      header[at] = 0;
    }
    return header;
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
