package dev.tamis.cli.filter;

import dev.tamis.cli.console.Choice;
import dev.tamis.interop.ForeignFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A format that {@code convert} reads and writes.
 *
 * @param foreign whose it is; empty for Tamis
 */
record ConvertFormat(Optional<ForeignFormat> foreign) {

  private static final String OURS = "tamis";

  private static List<ConvertFormat> all() {
    return Stream.concat(
            Stream.of(Optional.<ForeignFormat>empty()),
            Arrays.stream(ForeignFormat.values()).map(Optional::of))
        .map(ConvertFormat::new)
        .toList();
  }

  /** Returns whether the other program can gzip its files. */
  boolean mayBePacked() {
    return foreign.equals(Optional.of(ForeignFormat.DCSO));
  }

  boolean isOurs() {
    return foreign.isEmpty();
  }

  @Override
  public String toString() {
    return foreign.map(ForeignFormat::label).orElse(OURS);
  }

  static final class FormatChoice extends Choice<ConvertFormat> {
    FormatChoice() {
      super(all(), ConvertFormat::toString);
    }
  }
}
