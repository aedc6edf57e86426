package dev.tamis.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a hash discloses of its seed, and an id of its key. */
class KeyRecoveryTest {

  private static final long MULTIPLIER = 0x9FB21C651E98DF25L;

  /** A seed is no secret: it follows from one key of eight bytes and its hash by arithmetic. */
  @Test
  void aSeedFollowsFromOneHash() {
    Random random = new Random(1);
    for (int i = 0; i < 100; i++) {
      long seed = random.nextLong();
      long key = random.nextLong();
      long hash = HashFunction.xxh3(seed).hashLong(key);
      // what is mixed is key XOR (constant - spread seed); the constant is known from seed 0
      long constant = unmixed(HashFunction.xxh3(0).hashLong(key));
      long halves = Long.rotateLeft(key, 32);
      long spread = (constant ^ halves) - (unmixed(hash) ^ halves);
      long found = spread ^ (long) Integer.reverseBytes((int) spread) << 32;
      assertThat(found).isEqualTo(seed);
    }
  }

  /** So are keys of any hash: nothing has to be searched for. */
  @Test
  void aKeyOfEightBytesFollowsFromItsHashAndTheSeed() {
    HashFunction function = HashFunction.xxh3(7);
    long hash = 0x0123456789ABCDEFL;
    long known = unmixed(function.hashLong(0));
    long key = Long.rotateLeft(unmixed(hash) ^ known, 32);
    assertThat(function.hashLong(key)).isEqualTo(hash);
  }

  /** The id confirms a guess; 128 random bits cannot be guessed. */
  @Test
  void aKeyMadeOfSixteenBitsIsFoundByItsId() {
    long id = guess(54_321).id();
    assertThat(IntStream.range(0, 1 << 16).filter(i -> guess(i).id() == id))
        .containsExactly(54_321);
  }

  /** Each bit of a key changes half of the bits of its id: 32 of 64, give or take 4. */
  @Test
  void anIdIsUnlikeThatOfAKeyThatDiffersInOneBit() {
    byte[] bytes = new byte[HashKey.BYTES];
    long id = HashKey.of(bytes).id();
    double changed = 0;
    for (int bit = 0; bit < 128; bit++) {
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      changed += Long.bitCount(HashKey.of(bytes).id() ^ id);
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
    }
    assertThat(changed / 128).isBetween(30.0, 34.0);
  }

  private static HashKey guess(int number) {
    return HashKey.of(
        ByteBuffer.allocate(HashKey.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array());
  }

  /** Inverts the last steps of XXH3 for four to eight bytes, all bijections. */
  private static long unmixed(long hash) {
    long x = hash ^ (hash >>> 28) ^ (hash >>> 56);
    x *= inverse(MULTIPLIER);
    x = x ^ ((x >>> 35) + Long.BYTES);
    x *= inverse(MULTIPLIER);
    // 1 + r^24 + r^49 for the rotation r: its power of 64 is 1, so that of 63 undoes it
    for (int i = 0; i < 63; i++) {
      x ^= Long.rotateLeft(x, 24) ^ Long.rotateLeft(x, 49);
    }
    return x;
  }

  /** Newton's iteration, which doubles the bits that are right. */
  private static long inverse(long odd) {
    long inverse = odd;
    for (int i = 0; i < 5; i++) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
