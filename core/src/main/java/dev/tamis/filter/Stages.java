package dev.tamis.filter;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The stages of a scalable filter at one moment, the oldest first; only the newest takes keys.
 *
 * @param fpp the fpp of the filter, shared by present and future stages
 * @param fppOfFull the fpp of all but the newest together
 * @param wrongDropsOfFull the expected wrong drops before the newest was added
 */
record Stages<T>(double fpp, List<BloomFilter<T>> all, double fppOfFull, double wrongDropsOfFull) {

  Stages {
    all = List.copyOf(all);
  }

  static <T> Stages<T> of(double fpp, List<BloomFilter<T>> all) {
    return of(fpp, all, 0);
  }

  static <T> Stages<T> of(double fpp, List<BloomFilter<T>> all, double wrongDropsOfFull) {
    double fppOfFull = 0;
    for (BloomFilter<T> stage : all.subList(0, all.size() - 1)) {
      fppOfFull = either(fppOfFull, stage.expectedFpp());
    }
    return new Stages<>(fpp, all, fppOfFull, wrongDropsOfFull);
  }

  private static double either(double first, double second) {
    return first + second - first * second;
  }

  BloomFilter<T> newest() {
    return all.get(all.size() - 1);
  }

  int size() {
    return all.size();
  }

  Stages<T> with(BloomFilter<T> next) {
    List<BloomFilter<T>> more = new ArrayList<>(all);
    more.add(next);
    return new Stages<>(fpp, more, either(fppOfFull, newest().expectedFpp()), expectedWrongDrops());
  }

  boolean mightContain(long hash) {
    return mightContain(hash, all.size());
  }

  boolean fullOnesMightContain(long hash) {
    return mightContain(hash, all.size() - 1);
  }

  /** Peeks at all stages first: fetches their memory together and saves mispredicted branches. */
  private boolean mightContain(long hash, int stages) {
    VarHandle.acquireFence();
    for (long left = candidates(hash, stages); left != 0; left ^= Long.highestOneBit(left)) {
      if (all.get(Long.SIZE - 1 - Long.numberOfLeadingZeros(left)).mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /** Sets for each key whether any stage but the newest has it. */
  void fullOnesMightContain(long[] hashes, int count, boolean[] answers, boolean[] scratch) {
    all.get(0).mightContainHashes(hashes, count, answers);
    for (BloomFilter<T> stage : all.subList(1, all.size() - 1)) {
      stage.mightContainHashes(hashes, count, scratch);
      for (int i = 0; i < count; i++) {
        answers[i] |= scratch[i];
      }
    }
  }

  private long candidates(long hash, int stages) {
    long candidates = 0;
    for (int i = 0; i < stages; i++) {
      candidates |= all.get(i).peek(hash) << i;
    }
    return candidates;
  }

  void mightContain(long[] hashes, int from, int to, boolean[] answers) {
    peek(hashes, from, to, answers, all.size());
    for (int i = from; i < to; i++) {
      answers[i] = answers[i] && mightContain(hashes[i]);
    }
  }

  /** Fetches memory that puts of several keys need; {@code scratch} is written to. */
  void prefetch(long[] hashes, int from, int to, boolean[] scratch) {
    newest().prefetch(hashes, from, to, scratch);
    peek(hashes, from, to, scratch, all.size() - 1);
  }

  private void peek(long[] hashes, int from, int to, boolean[] isCandidate, int stages) {
    VarHandle.acquireFence();
    for (int i = from; i < to; i++) {
      isCandidate[i] = candidates(hashes[i], stages) != 0;
    }
  }

  double expectedWrongDrops() {
    return wrongDropsOfFull + newest().expectedWrongDrops(fppOfFull);
  }

  /**
   * Returns copies of both lists as one, the largest last: stages of one shape are merged if there
   * is room for the keys of both, equal stages are taken once.
   */
  static <T> List<BloomFilter<T>> merge(
      List<BloomFilter<T>> first, List<BloomFilter<T>> second, boolean threadSafe) {
    List<BloomFilter<T>> merged = new ArrayList<>();
    for (BloomFilter<T> stage : first) {
      merged.add(stage.copyAsStage(threadSafe));
    }
    for (BloomFilter<T> changing : second) {
      BloomFilter<T> stage = changing.copyAsStage(threadSafe);
      if (merged.contains(stage)) {
        continue;
      }
      merged.stream()
          .filter(candidate -> haveRoomTogether(candidate, stage))
          .findFirst()
          .ifPresentOrElse(candidate -> candidate.merge(stage, false), () -> merged.add(stage));
    }
    merged.sort(Comparator.<BloomFilter<T>>comparingLong(BloomFilter::expectedKeys));
    return merged;
  }

  private static <T> boolean haveRoomTogether(BloomFilter<T> first, BloomFilter<T> second) {
    return first.isCompatible(second)
        && first.expectedKeys() == second.expectedKeys()
        && first.fpp() == second.fpp()
        && first.acceptedKeys() + second.acceptedKeys() <= first.expectedKeys();
  }
}
