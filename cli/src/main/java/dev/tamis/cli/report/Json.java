package dev.tamis.cli.report;

import com.google.gson.GsonBuilder;
import java.util.Map;

/** Writes JSON; apart from the rest, so that the library is loaded only for {@code --json}. */
final class Json {

  private Json() {}

  /** Returns one line with the entries in their order. Infinite numbers must be null. */
  static String of(Map<String, ?> object) {
    return new GsonBuilder().serializeNulls().disableHtmlEscaping().create().toJson(object);
  }
}
