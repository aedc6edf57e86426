package dev.tamis.cli.console;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The converter of an option that takes one of a few words, in upper or lower case. */
public abstract class Choice<T> implements ITypeConverter<T>, Iterable<String> {

  private final Map<String, T> values = new LinkedHashMap<>();

  protected Choice(List<T> values, Function<T, String> word) {
    values.forEach(value -> this.values.put(word.apply(value), value));
  }

  @Override
  public final T convert(String text) {
    T value = values.get(text.toLowerCase(Locale.ROOT));
    if (value == null) {
      throw new TypeConversionException(
          "expected " + or(List.copyOf(values.keySet())) + ", got '" + text + "'");
    }
    return value;
  }

  /** Returns words as a sentence lists them: {@code a, b or c}. */
  public static String or(List<String> words) {
    int last = words.size() - 1;
    return last == 0
        ? words.get(0)
        : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
  }

  /** Returns the words, which shells complete. */
  @Override
  public final Iterator<String> iterator() {
    return values.keySet().iterator();
  }
}
