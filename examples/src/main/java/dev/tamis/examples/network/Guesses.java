package dev.tamis.examples.network;

/** A confusion matrix: the answers of filters compared with the truth, which a simulation knows. */
final class Guesses {

  private long trueHits;
  private long falseHits;
  private long trueMisses;
  private long falseMisses;

  void add(boolean present, boolean truth) {
    if (present) {
      trueHits += truth ? 1 : 0;
      falseHits += truth ? 0 : 1;
    } else {
      trueMisses += truth ? 0 : 1;
      falseMisses += truth ? 1 : 0;
    }
  }

  long trueHits() {
    return trueHits;
  }

  /** Returns the answers "present" that were wrong: wasted work, or a lost message. */
  long falseHits() {
    return falseHits;
  }

  long trueMisses() {
    return trueMisses;
  }

  /** Returns the answers "absent" that were wrong: stale tables, expired windows. */
  long falseMisses() {
    return falseMisses;
  }
}
