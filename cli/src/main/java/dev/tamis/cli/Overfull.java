package dev.tamis.cli;

import dev.tamis.Filter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import java.util.Locale;
import java.util.Optional;

/** The warning that a filter holds more keys than it was made for. */
final class Overfull {

  /** How far the fpp may be off before it is worth a word. */
  private static final double TOLERANCE = 1.1;

  private Overfull() {}

  /** Returns what to say, if the filter is too full. Costs one pass over the bits if so. */
  static Optional<String> warning(String command, Object filter) {
    if (filter instanceof BloomFilter<?> bloom) {
      return warning(command, bloom, bloom.acceptedKeys(), bloom.expectedKeys(), bloom.fpp());
    }
    if (filter instanceof CountingBloomFilter<?> counting) {
      return warning(
          command, counting, counting.acceptedKeys(), counting.expectedKeys(), counting.fpp());
    }
    return Optional.empty();
  }

  /** Returns what to say of a filter with so many keys, if it is too full. */
  static Optional<String> warning(
      String command, Filter<?> filter, long keys, long expectedKeys, double askedFpp) {
    if (keys <= expectedKeys) {
      return Optional.empty();
    }
    double fpp = filter.expectedFpp();
    if (fpp <= TOLERANCE * askedFpp) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "tamis %s: warning: the filter is for %d keys and holds %d, so the fpp is %s and not"
                + " %s; give it more with -n or -m",
            command,
            expectedKeys,
            keys,
            Figures.number(fpp),
            Figures.number(askedFpp)));
  }
}
