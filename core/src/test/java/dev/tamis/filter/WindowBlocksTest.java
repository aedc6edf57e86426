package dev.tamis.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.Keys;
import dev.tamis.sizing.WindowSizing;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The blocks over epochs: blocks are cleared when they are next put to, which nothing shows. */
class WindowBlocksTest {

  /** With so many blocks no key of these tests is there by chance. */
  private static WindowBlocks roomy(int perKey) {
    return new WindowBlocks(new WindowSizing(perKey, 1_001, 1, 0.5));
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 5", "4, 0", "1, 2147483640", "3, -5"})
  void aKeyIsInTheLanesOfTheEpochsItWasPutIn(int perKey, int start) {
    WindowBlocks blocks = roomy(perKey);
    blocks.stamp(start);
    SplittableRandom random = new SplittableRandom(perKey);
    long[] hashes = Keys.hashes(1, 40).toArray();
    Map<Integer, int[]> put = new HashMap<>(); // by key, the last epoch of each lane
    int epoch = start;
    for (int step = 0; step < 5_000; step++) {
      if (random.nextInt(4) == 0) {
        epoch += random.nextInt(random.nextInt(20) == 0 ? 40 : 3);
      }
      int key = random.nextInt(hashes.length);
      int[] epochs = put.computeIfAbsent(key, unused -> never());
      assertThat(blocks.put(hashes[key], epoch)).isEqualTo(lanes(epochs, epoch));
      epochs[epoch & 7] = epoch;
      int other = random.nextInt(hashes.length);
      for (int due = 0; due < 10; due++) {
        assertThat(blocks.lanes(hashes[other], epoch + due))
            .isEqualTo(lanes(put.getOrDefault(other, never()), epoch + due));
      }
    }
  }

  private static int[] never() {
    int[] epochs = new int[8];
    Arrays.fill(epochs, Integer.MIN_VALUE / 2);
    return epochs;
  }

  private static int lanes(int[] epochs, int epoch) {
    int lanes = 0;
    for (int lane = 0; lane < 8; lane++) {
      int age = epoch - epochs[lane];
      lanes |= age >= 0 && age < 8 ? 1 << lane : 0;
    }
    return lanes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void clearingAllAtOnceIsTheSameAsByAndBy(int perKey) {
    for (int later = 0; later < 12; later++) {
      WindowBlocks blocks = filled(perKey);
      WindowBlocks cleared = filled(perKey);
      int epoch = 10 + later;
      cleared.refresh(epoch);
      assertThat(blocks.ones(epoch)).isEqualTo(cleared.ones(epoch));
      assertThat(blocks.fpp(epoch)).isEqualTo(cleared.fpp(epoch));
      for (long hash : Keys.hashes(2, 1_000).toArray()) {
        assertThat(blocks.lanes(hash, epoch)).isEqualTo(cleared.lanes(hash, epoch));
      }
      WindowBlocks copy = new WindowBlocks(new WindowSizing(perKey, 7, 1, 0.5));
      copy.copyFrom(blocks);
      assertThat(copy.ones(epoch)).isEqualTo(cleared.ones(epoch));
    }
  }

  /** Full enough that other keys are found, at epoch 10; not every block has been put to in it. */
  private static WindowBlocks filled(int perKey) {
    WindowBlocks blocks = new WindowBlocks(new WindowSizing(perKey, 7, 1, 0.5));
    for (int epoch = 0; epoch <= 10; epoch++) {
      int present = epoch;
      Keys.hashes(epoch, epoch == 10 ? 3 : 100).forEach(hash -> blocks.put(hash, present));
    }
    return blocks;
  }

  @Test
  void onesAreThoseOfEachAge() {
    WindowBlocks blocks = roomy(2);
    for (int epoch = 0; epoch < 20; epoch++) {
      int present = epoch;
      Keys.hashes(epoch, epoch).forEach(hash -> blocks.put(hash, present));
    }
    long[] ones = blocks.ones(19);
    for (int age = 0; age < 8; age++) {
      assertThat(ones[age]).isBetween(16L * (19 - age) - 8, 16L * (19 - age));
    }
  }

  /** No key, in whatever stripes, makes two writers share a word: stamps of a pair are one word. */
  @Test
  void blocksThatShareAWordOfStampsHaveOneStripe() {
    WindowBlocks blocks = new WindowBlocks(new WindowSizing(1, 64, 1, 0.5));
    for (long hash : Keys.hashes(3, 1_000).toArray()) {
      long block = Math.multiplyHigh(hash, 64L) + (hash < 0 ? 64 : 0);
      assertThat(blocks.stripes(hash, 16)).isEqualTo(1L << (block / 2 % 16));
      assertThat(blocks.stripes(hash, 1)).isEqualTo(1);
    }
  }
}
