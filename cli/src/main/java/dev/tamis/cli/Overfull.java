package dev.tamis.cli;

import dev.tamis.MutableFilter;
import dev.tamis.filter.BloomFilter;
import java.util.Locale;
import java.util.Optional;

/** The warning that a filter holds more keys than it was made for. */
final class Overfull {

  /** How far the fpp may be off before it is worth a word. */
  private static final double TOLERANCE = 1.1;

  private Overfull() {}

  /** Returns what to say, if the filter is too full. Costs one pass over the bits if so. */
  static Optional<String> warning(String command, MutableFilter<?> filter) {
    if (!(filter instanceof BloomFilter<?> bloom)
        || bloom.acceptedKeys() <= bloom.expectedKeys()
        || bloom.expectedFpp() <= TOLERANCE * bloom.fpp()) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "tamis %s: warning: the filter is for %d keys and holds %d, so the fpp is %s and not"
                + " %s; give it more with -n or -m",
            command,
            bloom.expectedKeys(),
            bloom.acceptedKeys(),
            Figures.number(bloom.expectedFpp()),
            Figures.number(bloom.fpp())));
  }
}
