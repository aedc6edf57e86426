package dev.tamis.tools.network;

import dev.tamis.sizing.Checks;
import java.util.OptionalDouble;

/**
 * A confusion matrix: what a filter guessed against what was true.
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
    Checks.atLeast("trueHits", trueHits, 0);
    Checks.atLeast("falseHits", falseHits, 0);
    Checks.atLeast("trueMisses", trueMisses, 0);
    Checks.atLeast("falseMisses", falseMisses, 0);
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

  /** Returns the measured fpp: false hits among what was absent; empty while nothing was. */
  public OptionalDouble falseHitRate() {
    return share(falseHits, falseHits + trueMisses);
  }

  /** Returns the share of false misses among what was present; empty while nothing was. */
  public OptionalDouble falseMissRate() {
    return share(falseMisses, falseMisses + trueHits);
  }

  /** Returns the share of guesses that were right, in [0, 1]; empty while there is none. */
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
}
