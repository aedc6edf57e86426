package dev.tamis.hash;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** SipHash-2-4 is the published function. */
class SipHashTest {

  /** The first of the reference's vectors: key 00 01 … 0f, messages of 0, 1, … bytes 00 01 …. */
  private static final long[] VECTORS = {
    0x726fdb47dd0e0e31L,
    0x74f839c593dc67fdL,
    0x0d6c8009d9a94f5aL,
    0x85676696d7fb7e2dL,
    0xcf2794e0277187b7L,
    0x18765564cd99a68dL,
    0xcbc9466e58fee3ceL,
    0xab0200f58b01d137L,
    0x93f5f5799a932462L,
    0x9e0082df0ba9e4b0L,
    0x7a5dbbc594ddb9f3L,
    0xf4b32f46226bada7L,
    0x751e8fbc860ee5fbL,
    0x14ea5627c0843d90L,
    0xf723ca908e7af2eeL,
    0xa129ca6149be45e5L, // the one in the paper's appendix
  };

  private final HashFunction function = HashFunction.sipHash(HashKey.of(counting(HashKey.BYTES)));

  @Test
  void givesTheReferenceVectors() {
    for (int length = 0; length < VECTORS.length; length++) {
      assertThat(function.hashBytes(counting(length), 0, length)).isEqualTo(VECTORS[length]);
    }
  }

  /** Over lengths 0 to 1100; computed by another implementation. */
  @Test
  void bytesOfEveryLengthHashAsElsewhere() {
    byte[] bytes = new byte[1_100];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) (i * i % 251);
    }
    long fingerprint = 0;
    for (int length = 0; length <= bytes.length; length++) {
      fingerprint = 31 * fingerprint + function.hashBytes(bytes, 0, length);
    }
    assertThat(Long.toHexString(fingerprint)).isEqualTo("e46fde290fb6acf2");
  }

  private static byte[] counting(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) i;
    }
    return bytes;
  }
}
