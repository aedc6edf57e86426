package dev.tamis.cli.filter;

import dev.tamis.interop.ForeignFormat;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A format that {@code convert} reads and writes.
 *
 * @param foreign whose it is; empty for Tamis
 */
record ConvertFormat(Optional<ForeignFormat> foreign) {

  private static final String OURS = "tamis";

  static List<String> names() {
    return Stream.concat(
            Stream.of(OURS), Arrays.stream(ForeignFormat.values()).map(ForeignFormat::label))
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

  /** Converts the argument of {@code --from} and {@code --to}. */
  static final class Converter implements ITypeConverter<ConvertFormat> {
    @Override
    public ConvertFormat convert(String text) {
      if (text.equals(OURS)) {
        return new ConvertFormat(Optional.empty());
      }
      for (ForeignFormat format : ForeignFormat.values()) {
        if (format.label().equals(text)) {
          return new ConvertFormat(Optional.of(format));
        }
      }
      throw new TypeConversionException(
          String.format(Locale.ROOT, "expected one of %s, got '%s'", names(), text));
    }
  }

  /** Completes the argument. */
  static final class Candidates implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return names().iterator();
    }
  }
}
