package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.internal.bits.SetBits;
import java.math.BigInteger;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ring against one of bit sets that scans for runs, written from docs/format.md. */
class SliceRingTest {

  @ParameterizedTest
  @CsvSource({"1, 1, 64", "1, 5, 64", "2, 1, 64", "3, 3, 128", "4, 7, 64", "7, 5, 192", "9, 1, 64"})
  void doesWhatAScanOfAllSlicesDoes(int hashes, int generations, int bits) {
    doesWhatAScanOfAllSlicesDoes(hashes, generations, bits, 0);
    doesWhatAScanOfAllSlicesDoes(hashes, generations, bits, 3);
  }

  private static void doesWhatAScanOfAllSlicesDoes(
      int hashes, int generations, int bits, int stripes) {
    SliceRing ring = new SliceRing(hashes, generations, bits, stripes);
    Reference reference = new Reference(hashes, generations, bits);
    SplittableRandom random = new SplittableRandom(hashes);
    for (int step = 0; step < 5_000; step++) {
      if (random.nextInt(8) == 0) {
        int times = random.nextInt(random.nextInt(hashes + generations + 1) + 1);
        ring.turn(times);
        reference.turn(times);
      }
      long hash = random.nextLong();
      ring.put(hash, ring.missing(hash), step % Math.max(1, stripes));
      reference.put(hash);
      for (long asked : new long[] {hash, random.nextLong(), random.nextLong()}) {
        int due = random.nextInt(generations + 3);
        assertThat(mightContain(ring, asked, generations - due))
            .isEqualTo(reference.mightContain(asked, due));
      }
      assertThat(IntStream.range(0, hashes + generations).mapToLong(ring::ones))
          .containsExactlyElementsOf(reference.ones());
    }
  }

  @Test
  void aKeyIsThereForAsManyTurnsAsThereAreGenerations() {
    for (int generations = 1; generations < 20; generations++) {
      for (int hashes = 1; hashes < 10; hashes++) {
        SliceRing ring = new SliceRing(hashes, generations, 64, 0);
        ring.put(42, ring.missing(42), 0);
        for (int turns = 0; turns <= generations; turns++) {
          assertThat(mightContain(ring, 42, generations)).isTrue();
          assertThat(mightContain(ring, 42, turns)).isTrue();
          assertThat(mightContain(ring, 42, turns - 1)).isFalse();
          ring.turn(1);
        }
        assertThat(mightContain(ring, 42, generations)).isFalse();
      }
    }
  }

  @Test
  void turnsThatAreDueButNotMadeCountAsMade() {
    SliceRing ring = filled();
    for (int due = 0; due <= 12; due++) {
      SliceRing turned = filled();
      turned.turn(due);
      int notMade = due;
      assertThat(Keys.hashes(2, 2_000).map(hash -> mightContain(ring, hash, 7 - notMade) ? 1 : 0))
          .containsExactlyElementsOf(
              Keys.hashes(2, 2_000)
                  .map(hash -> mightContain(turned, hash, 7) ? 1 : 0)
                  .boxed()
                  .toList());
    }
  }

  @Test
  void manyTurnsClearEverything() {
    for (int times : new int[] {11, 12, 1_000, Integer.MAX_VALUE}) {
      SliceRing ring = filled();
      ring.turn(times);
      assertThat(SetBits.count(ring.words())).isZero();
      assertThat(IntStream.range(0, 11).mapToLong(ring::ones)).containsOnly(0L);
    }
  }

  @Test
  void copiesAndRestoredRingsGoOnAlike() {
    SliceRing ring = filled();
    SliceRing copy = new SliceRing(4, 7, 128, 2);
    copy.copyFrom(ring);
    SliceRing restored = new SliceRing(4, 7, 128, 2);
    restored.words().copyFrom(ring.words());
    restored.restore(ring.youngest());
    for (SliceRing other : new SliceRing[] {copy, restored}) {
      assertThat(other.youngest()).isEqualTo(ring.youngest());
      assertThat(IntStream.range(0, 11).mapToLong(other::ones))
          .containsExactlyElementsOf(IntStream.range(0, 11).mapToLong(ring::ones).boxed().toList());
      other.turn(2);
      other.put(7, other.missing(7), 1);
    }
    assertThat(copy.words()).isEqualTo(restored.words()).isNotEqualTo(ring.words());
  }

  @Test
  void clearedItHoldsNothing() {
    SliceRing ring = filled();
    ring.clear();
    assertThat(SetBits.count(ring.words())).isZero();
    assertThat(ring.ones(3)).isZero();
  }

  /** A rotation that is published and has not cleared its slices yet. */
  @Test
  void dirtySlicesAreLeftOut() {
    for (int times = 1; times <= 11; times++) {
      SliceRing ring = filled();
      SliceRing turned = filled();
      turned.turn(times);
      int youngest = ring.youngestAfter(times);
      assertThat(youngest).isEqualTo(turned.youngest());
      for (long hash : Keys.hashes(2, 2_000).toArray()) {
        assertThat(ring.mightContain(hash, youngest, 7, times))
            .isEqualTo(mightContain(turned, hash, 7));
      }
    }
  }

  private static boolean mightContain(SliceRing ring, long hash, int oldest) {
    return ring.mightContain(hash, ring.youngest(), oldest, 0);
  }

  private static SliceRing filled() {
    SliceRing ring = new SliceRing(4, 7, 128, 2);
    Keys.hashes(1, 500)
        .forEach(
            hash -> {
              ring.put(hash, ring.missing(hash), (int) (hash & 1));
              ring.turn(hash % 50 == 0 ? 1 : 0);
            });
    return ring;
  }

  /** The specification, word for word. */
  private static final class Reference {
    private final int hashes;
    private final int bits;
    private final BitSet[] slices;
    private int youngest;

    Reference(int hashes, int generations, int bits) {
      this.hashes = hashes;
      this.bits = bits;
      this.slices = new BitSet[hashes + generations];
      for (int i = 0; i < slices.length; i++) {
        slices[i] = new BitSet(bits);
      }
    }

    private int index(int age) {
      return (youngest + age) % slices.length;
    }

    private int bit(long hash, int slice) {
      long z = hash + slice * 0x9E3779B97F4A7C15L;
      z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
      z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
      z ^= z >>> 31;
      return new BigInteger(Long.toUnsignedString(z))
          .multiply(BigInteger.valueOf(bits))
          .shiftRight(64)
          .intValueExact();
    }

    void put(long hash) {
      for (int age = 0; age < hashes; age++) {
        slices[index(age)].set(bit(hash, index(age)));
      }
    }

    void turn(int times) {
      for (int i = 0; i < times; i++) {
        youngest = index(slices.length - 1);
        slices[youngest].clear();
      }
    }

    boolean mightContain(long hash, int due) {
      int run = 0;
      for (int age = 0; age < slices.length - due; age++) {
        run = slices[index(age)].get(bit(hash, index(age))) ? run + 1 : 0;
        if (run == hashes) {
          return true;
        }
      }
      return false;
    }

    Iterable<Long> ones() {
      return IntStream.range(0, slices.length)
          .mapToObj(age -> (long) slices[index(age)].cardinality())
          .toList();
    }
  }
}
