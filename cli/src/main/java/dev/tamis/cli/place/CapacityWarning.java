package dev.tamis.cli.place;

import static java.util.stream.Collectors.toMap;

import dev.tamis.Filter;
import dev.tamis.MutableFilter;
import dev.tamis.Traits;
import dev.tamis.cli.report.Figures;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The warning that a filter is over the capacity it was sized for. */
public final class CapacityWarning {

  /** How far the fpp may be off before it is worth a warning. */
  private static final double TOLERANCE = 1.1;

  private CapacityWarning() {}

  /**
   * Returns what to print if the filter is over capacity, by its traits; empty also if it has none,
   * as one that grows. Costs one pass over the bits if so.
   */
  public static Optional<String> of(String command, Filter<?> filter) {
    Map<String, Object> traits =
        filter.traits().all().stream()
            .collect(toMap(Traits.Trait::name, Traits.Trait::value, (first, second) -> first));
    if (filter instanceof MutableFilter<?> mutable
        && traits.get("expected keys") instanceof Long expectedKeys
        && traits.get("requested fpp") instanceof Double requestedFpp
        && mutable.acceptedKeys() > expectedKeys) {
      return of(command, expectedKeys, mutable.acceptedKeys(), requestedFpp, filter.expectedFpp());
    }
    return Optional.empty();
  }

  private static Optional<String> of(
      String command, long expectedKeys, long keys, double requestedFpp, double fpp) {
    if (fpp <= TOLERANCE * requestedFpp) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "tamis %s: warning: filter is over capacity: sized for %d keys, at least %d inserted;"
                + " its fpp is %s, requested %s; rerun with a larger -n or -m",
            command,
            expectedKeys,
            keys,
            Figures.number(fpp),
            Figures.number(requestedFpp)));
  }
}
