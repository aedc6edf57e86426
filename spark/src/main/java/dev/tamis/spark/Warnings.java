package dev.tamis.spark;

import dev.tamis.Sized.Capacity;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warnings about filters that a job has filled, in the driver's log and for its result. */
final class Warnings {

  private static final Logger LOG = LoggerFactory.getLogger(TamisSpark.class);

  private Warnings() {}

  static Optional<String> overCapacity(Capacity capacity, long keys, double fpp) {
    return capacity.isExceeded(keys, fpp)
        ? logged(
            String.format(
                Locale.ROOT,
                "the filter was built for %d keys at an fpp of %s and has about %d: its fpp is"
                    + " %.3g; build it for more expectedKeys",
                capacity.expectedKeys(),
                capacity.requestedFpp(),
                keys,
                fpp))
        : Optional.empty();
  }

  static Optional<String> logged(String warning) {
    LOG.warn(warning);
    return Optional.of(warning);
  }
}
