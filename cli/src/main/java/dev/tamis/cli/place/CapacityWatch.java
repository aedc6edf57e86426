package dev.tamis.cli.place;

import dev.tamis.Filter;
import dev.tamis.MutableFilter;
import dev.tamis.Sized.Capacity;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.report.NumberFormats;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Says when a filter exceeds its capacity, at that moment, and how far it did at the end. */
public final class CapacityWatch {

  /** How much the keys grow before the fpp is computed again, which takes a pass over the bits. */
  private static final double STEP = 0.01;

  private final String command;
  private final Filter<?> filter;
  private final Messages err;
  private final @Nullable Capacity capacity;

  private final long keysBefore;

  private long nextKeys;

  /** Watches a filter that a command is about to fill. */
  public CapacityWatch(String command, Filter<?> filter, Messages err) {
    this(command, filter, Capacity.of(filter).orElse(null), err);
  }

  /** Watches a filter of this capacity; null if it grows. */
  public CapacityWatch(
      String command, Filter<?> filter, @Nullable Capacity capacity, Messages err) {
    this.command = command;
    this.filter = filter;
    this.err = err;
    this.capacity = capacity;
    this.keysBefore = filter instanceof MutableFilter<?> mutable ? mutable.acceptedKeys() : 0;
    this.nextKeys = capacity == null ? Long.MAX_VALUE : capacity.expectedKeys() + 1;
  }

  /** Warns once if the filter is over capacity, given how many keys the command has added. */
  public void accepted(long newKeys) {
    long keys = keysBefore + newKeys;
    if (capacity == null || keys < nextKeys) {
      return;
    }
    if (!capacity.isExceeded(keys, filter.expectedFpp())) {
      nextKeys = keys + Math.max(1, (long) (keys * STEP));
      return;
    }
    nextKeys = Long.MAX_VALUE;
    err.line(
        "tamis %s: warning: filter is over capacity: sized for %d keys, at least %d inserted; its"
            + " fpp exceeds the requested %s and rises with each; rerun with a larger -n or -m",
        command,
        capacity.expectedKeys(),
        keys, // others may be put meanwhile, so an fpp would be of another moment
        NumberFormats.number(capacity.requestedFpp()));
  }

  /** Returns why the filter is too full to use, empty if it is not; takes a pass over its bits. */
  Optional<String> overfull(String consequence) {
    double fpp = capacity == null ? 0 : filter.expectedFpp();
    if (capacity == null || !capacity.isOverfull(fpp)) {
      return Optional.empty();
    }
    return Optional.of(
        String.format(
            Locale.ROOT,
            "tamis %s: filter is overfull: its fpp is %s, requested %s; %s; rerun with a larger -n"
                + " or -m, or with --allow-overfull",
            command,
            NumberFormats.number(fpp),
            NumberFormats.number(capacity.requestedFpp()),
            consequence));
  }

  void print(String line) {
    err.line(line);
  }
}
