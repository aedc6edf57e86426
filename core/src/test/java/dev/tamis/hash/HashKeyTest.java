package dev.tamis.hash;

import static dev.tamis.Refusal.refusesSaying;
import static org.assertj.core.api.Assertions.assertThat;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Secret keys: sixteen bytes, identified by their id and never printed. */
class HashKeyTest {

  private static final byte[] ZEROS = new byte[HashKey.BYTES];

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 17, 32})
  void aKeyHasSixteenBytes(int length) {
    refusesSaying("a hash key has 16 bytes, got " + length, () -> HashKey.of(new byte[length]));
  }

  @Test
  void theSameBytesAreTheSameKey() {
    assertThat(HashKey.of(ZEROS)).isEqualTo(HashKey.of(ZEROS)).hasSameHashCodeAs(HashKey.of(ZEROS));
    for (int bit = 0; bit < 8 * HashKey.BYTES; bit++) {
      byte[] other = new byte[HashKey.BYTES];
      other[bit / 8] = (byte) (1 << bit % 8);
      assertThat(HashKey.of(other)).isNotEqualTo(HashKey.of(ZEROS)).isNotEqualTo("a key");
      assertThat(HashKey.of(other).id()).isNotEqualTo(HashKey.of(ZEROS).id());
      assertThat(HashFunction.sipHash(HashKey.of(other)).hashLong(1))
          .isNotEqualTo(HashFunction.sipHash(HashKey.of(ZEROS)).hashLong(1));
    }
  }

  @Test
  void changingTheBytesLaterChangesNoKey() {
    byte[] bytes = new byte[HashKey.BYTES];
    HashKey key = HashKey.of(bytes);
    bytes[3] = 1;
    assertThat(key).isEqualTo(HashKey.of(ZEROS));
  }

  @Test
  void randomKeysDiffer() {
    SecureRandom random = new SecureRandom();
    assertThat(HashKey.random(random)).isNotEqualTo(HashKey.random(random));
  }

  /** printf 'tamis hash key id 1' | cat - sixteen-zeros | sha256sum, the first eight bytes. */
  @Test
  void theIdIsTheOneInTheSpecification() {
    assertThat(HashKey.of(ZEROS).id()).isEqualTo(Long.reverseBytes(0xd003c7da4b8d802fL));
  }

  @Test
  void onlyTheIdIsPrinted() {
    assertThat(HashKey.of(ZEROS)).hasToString("HashKey(id=" + hex(HashKey.of(ZEROS).id()) + ")");
  }

  private static String hex(long value) {
    return HexFormat.of().toHexDigits(value);
  }
}
