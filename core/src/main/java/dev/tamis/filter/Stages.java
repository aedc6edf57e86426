package dev.tamis.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * The stages of a scalable filter at one moment, the oldest first; only the newest takes keys.
 *
 * @param all the stages, at least one
 * @param fppOfFull the fpp of all but the newest together
 * @param wrongDropsOfFull the wrong drops to be expected from the time when the newest was not yet
 */
record Stages<T>(List<BloomFilter<T>> all, double fppOfFull, double wrongDropsOfFull) {

  Stages {
    all = List.copyOf(all);
  }

  static <T> Stages<T> of(List<BloomFilter<T>> all) {
    double fpp = 0;
    for (BloomFilter<T> stage : all.subList(0, all.size() - 1)) {
      fpp = either(fpp, stage.expectedFpp());
    }
    return new Stages<>(all, fpp, 0);
  }

  /** Returns the chance of at least one of two independent events. */
  private static double either(double first, double second) {
    return first + second - first * second;
  }

  BloomFilter<T> newest() {
    return all.get(all.size() - 1);
  }

  int size() {
    return all.size();
  }

  /** Returns whether nothing but the newest needs to be asked for so many keys. */
  boolean hasOnlyOneWithRoomFor(int keys) {
    return all.size() == 1 && newest().acceptedKeys() + keys <= newest().expectedKeys();
  }

  /** Returns these stages and one more, which is the newest then. */
  Stages<T> with(BloomFilter<T> next) {
    List<BloomFilter<T>> more = new ArrayList<>(all);
    more.add(next);
    return new Stages<>(more, either(fppOfFull, newest().expectedFpp()), expectedWrongDrops());
  }

  /** Returns whether any stage from {@code start} up to the newest, exclusive, has the key. */
  boolean fullOnesMightContain(long hash, int start) {
    for (int i = all.size() - 2; i >= start; i--) {
      if (all.get(i).mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  double expectedWrongDrops() {
    return wrongDropsOfFull + newest().expectedWrongDrops(fppOfFull);
  }
}
