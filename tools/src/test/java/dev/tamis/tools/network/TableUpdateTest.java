package dev.tamis.tools.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.tamis.format.FormatException;
import dev.tamis.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableUpdateTest {

  private static final int BODY = TableUpdate.HEADER_BYTES;

  private final RoutingTable<String, Long> table = table();
  private final RoutingTable<String, Long> sender = table();
  private byte[] reset = {};
  private byte[] patch = {};

  @BeforeEach
  void teach() throws FormatException {
    table.connect("from");
    sender.connect("to");
    sender.publish(1L);
    reset = sender.updateFor("to").orElseThrow();
    sender.publish(2L);
    patch = sender.updateFor("to").orElseThrow();
    assertThat(table.receive("from", reset)).isEqualTo(Receipt.APPLIED);
  }

  @Test
  void theHeaderIsAsSpecified() {
    ByteBuffer in = ByteBuffer.wrap(patch).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(Arrays.copyOf(patch, 8)).containsExactly('T', 'M', 'R', 'U', 1, 2, 2, 0);
    assertThat(in.getLong(8)).isEqualTo(2);
    int frameBytes = in.getInt(16);
    assertThat(reset).hasSize(20 + 2 * frameBytes + 4);
    int changed = in.getInt(20);
    assertThat(changed).isBetween(1, 20); // one key of twenty bits
    // one patched frame, one without changes, each with its checksum, and the checksum of all
    assertThat(patch).hasSize(20 + 4 + 12 * changed + 4 + 4 + 4 + 4);
  }

  @Test
  void everyTruncationIsRefused() {
    for (byte[] whole : new byte[][] {reset, patch}) {
      for (int length = 0; length < whole.length; length++) {
        byte[] cut = Arrays.copyOf(whole, length);
        assertRefused(cut);
        if (length >= TableUpdate.CHECKSUM_BYTES) {
          assertRefused(Sealed.seal(cut));
        }
      }
    }
    assertUntouched();
  }

  @Test
  void everyFlippedBitIsRefused() {
    for (byte[] whole : new byte[][] {reset, patch}) {
      for (int bit = 0; bit < whole.length * Byte.SIZE; bit++) {
        byte[] flipped = whole.clone();
        flipped[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
        assertRefused(flipped);
      }
    }
    assertUntouched();
  }

  @Test
  void aSealedFlipInAResetIsRefusedByTheChecksumsOfItsFilters() {
    for (int at = BODY; at < reset.length - TableUpdate.CHECKSUM_BYTES; at++) {
      byte[] flipped = reset.clone();
      flipped[at] ^= 1;
      assertRefused(Sealed.seal(flipped));
    }
    assertUntouched();
  }

  @Test
  void aSealedFlipInAPatchIsRefusedOrAsksForAReset() throws FormatException {
    for (int at = BODY; at < patch.length - TableUpdate.CHECKSUM_BYTES; at++) {
      byte[] flipped = patch.clone();
      flipped[at] ^= 1;
      try {
        assertThat(table.receive("from", Sealed.seal(flipped))).isEqualTo(Receipt.RESET_NEEDED);
        assertThat(table.receive("from", reset)).isEqualTo(Receipt.APPLIED);
      } catch (FormatException e) {
        assertThat(e).hasMessageContaining("not a valid table update: ");
      }
      assertThat(table.linksFor(1L)).hasSize(1);
      assertThat(table.linksFor(2L)).isEmpty();
    }
  }

  @Test
  void eachFieldThatIsWrongIsNamed() {
    assertRefused(
        changed(reset, in -> in.putInt(0, 7)), "not a valid table update: magic at byte 0");
    assertRefused(changed(reset, in -> in.put(4, (byte) 2)), "version");
    assertRefused(changed(reset, in -> in.put(5, (byte) 0)), "kind of update");
    assertRefused(changed(reset, in -> in.put(5, (byte) 3)), "kind of update");
    assertRefused(changed(reset, in -> in.put(6, (byte) 1)), "hops");
    assertRefused(changed(reset, in -> in.put(7, (byte) 1)), "reserved byte");
    assertRefused(changed(reset, in -> in.putInt(16, -1)), "bytes of a filter");
    assertRefused(changed(patch, in -> in.putInt(BODY, -1)), "changed words");
    assertRefused(changed(patch, in -> in.putInt(BODY, Integer.MAX_VALUE)), "changed words");
    assertRefused(changed(patch, in -> in.putInt(BODY + 4, -1)), "changed word");
    assertRefused(changed(patch, in -> in.putInt(BODY + 4, 1 << 30)), "changed word");
    assertRefused(Sealed.seal(Arrays.copyOf(reset, reset.length + 1)), "bytes of the filters");
    assertRefused(Sealed.seal(Arrays.copyOf(patch, patch.length + 1)), "no more bytes");
    byte[] unsealed = patch.clone();
    unsealed[unsealed.length - 1] ^= 1;
    assertRefused(unsealed, "checksum");
    assertUntouched();
  }

  private static byte[] changed(byte[] update, Consumer<ByteBuffer> change) {
    byte[] changed = update.clone();
    change.accept(ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN));
    return Sealed.seal(changed);
  }

  private void assertRefused(byte[] bytes) {
    assertRefused(bytes, "not a valid table update: ");
  }

  private void assertRefused(byte[] bytes, String message) {
    assertThatExceptionOfType(FormatException.class)
        .isThrownBy(() -> table.receive("from", bytes))
        .withMessageContaining(message);
  }

  private void assertUntouched() {
    assertThat(table.state("from").current()).isTrue();
    assertThat(table.linksFor(1L)).hasSize(1);
    assertThat(table.linksFor(2L)).isEmpty();
  }

  private static RoutingTable<String, Long> table() {
    return RoutingTable.<String, Long>builder(KeyHasher.longs())
        .expectedKeys(50)
        .fpp(1e-6)
        .hops(2)
        .build();
  }
}
