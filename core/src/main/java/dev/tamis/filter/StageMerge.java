package dev.tamis.filter;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Puts the stages of two scalable filters together. */
final class StageMerge {

  private StageMerge() {}

  /**
   * Returns new stages that hold what both rows hold: those of one shape as one stage, where that
   * has room for the keys of both, equal ones once, and copies of the others; the largest last,
   * which goes on taking keys.
   */
  static <T> List<BloomFilter<T>> merge(
      List<BloomFilter<T>> first, List<BloomFilter<T>> second, boolean threadSafe) {
    List<BloomFilter<T>> merged = new ArrayList<>();
    for (BloomFilter<T> stage : first) {
      merged.add(stage.copyAsStage(threadSafe));
    }
    for (BloomFilter<T> stage : second) {
      if (merged.contains(stage)) {
        continue;
      }
      merged.stream()
          .filter(candidate -> haveRoomTogether(candidate, stage))
          .findFirst()
          .ifPresentOrElse(
              candidate -> merge(candidate, stage),
              () -> merged.add(stage.copyAsStage(threadSafe)));
    }
    merged.sort(Comparator.<BloomFilter<T>>comparingLong(BloomFilter::expectedKeys));
    return merged;
  }

  private static <T> void merge(BloomFilter<T> into, BloomFilter<T> stage) {
    into.merge(0, stage.words());
    into.tallyFromBits();
  }

  private static <T> boolean haveRoomTogether(BloomFilter<T> first, BloomFilter<T> second) {
    return first.isCompatible(second)
        && first.expectedKeys() == second.expectedKeys()
        && first.fpp() == second.fpp()
        && first.acceptedKeys() + second.acceptedKeys() <= first.expectedKeys();
  }
}
