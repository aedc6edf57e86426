package dev.tamis.tools.network;

import java.util.OptionalDouble;

/**
 * What a filter guessed beside what was true, each confirmed guess in exactly one of four fields.
 *
 * <p>A hit is the guess "it is there". Which of the four numbers costs something depends on the
 * tool: a false hit is a lost message for {@link BroadcastSuppression} and a wasted one for {@link
 * RoutingTable}. Squid prints the same table for its cache digests, because staleness makes false
 * misses, which no formula of fpp knows.
 *
 * @param trueHits guessed present, was present
 * @param falseHits guessed present, was absent
 * @param trueMisses guessed absent, was absent
 * @param falseMisses guessed absent, was present
 */
public record GuessTable(long trueHits, long falseHits, long trueMisses, long falseMisses) {

  /** The table of no guesses. */
  public static final GuessTable EMPTY = new GuessTable(0, 0, 0, 0);

  /** Checks that nothing is negative. */
  public GuessTable {
    requireCount("trueHits", trueHits);
    requireCount("falseHits", falseHits);
    requireCount("trueMisses", trueMisses);
    requireCount("falseMisses", falseMisses);
  }

  /** Returns how many guesses were confirmed. */
  public long guesses() {
    return hits() + misses();
  }

  /** Returns how often the guess was "present". */
  public long hits() {
    return trueHits + falseHits;
  }

  /** Returns how often the guess was "absent". */
  public long misses() {
    return trueMisses + falseMisses;
  }

  /** Returns the measured fpp: false hits among what was absent; nothing while nothing was. */
  public OptionalDouble falseHitRate() {
    return share(falseHits, falseHits + trueMisses);
  }

  /** Returns the share of false misses among what was present; nothing while nothing was. */
  public OptionalDouble falseMissRate() {
    return share(falseMisses, falseMisses + trueHits);
  }

  /** Returns the share of guesses that were right, in [0, 1]; nothing while there is none. */
  public OptionalDouble accuracy() {
    return share(trueHits + trueMisses, guesses());
  }

  /** Returns both tables together. */
  public GuessTable plus(GuessTable other) {
    return new GuessTable(
        trueHits + other.trueHits,
        falseHits + other.falseHits,
        trueMisses + other.trueMisses,
        falseMisses + other.falseMisses);
  }

  private static OptionalDouble share(long part, long whole) {
    return whole == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) part / whole);
  }

  private static void requireCount(String name, long count) {
    if (count < 0) {
      throw new IllegalArgumentException(name + " must be at least 0, got " + count);
    }
  }
}
