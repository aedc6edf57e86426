package dev.tamis.cli;

import dev.tamis.sizing.Layout;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The types of filter that {@code build} makes and {@code size} compares. */
enum FilterType {
  BLOCKED(null),
  CLASSIC(Layout.CLASSIC),
  PARTITIONED(Layout.PARTITIONED),
  SCALABLE(null);

  private final @Nullable Layout layout;

  FilterType(@Nullable Layout layout) {
    this.layout = layout;
  }

  /** Returns the layout that the type stands for, or null if it depends on the fpp. */
  @Nullable Layout layout() {
    return layout;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Converts the argument of {@code -t}. */
  static final class Converter implements ITypeConverter<FilterType> {
    @Override
    public FilterType convert(String text) {
      for (FilterType type : values()) {
        if (type.toString().equals(text)) {
          return type;
        }
      }
      throw new TypeConversionException(
          "expected one of " + Arrays.toString(values()) + ", got '" + text + "'");
    }
  }
}
