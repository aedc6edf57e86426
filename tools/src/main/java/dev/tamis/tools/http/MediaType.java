package dev.tamis.tools.http;

import java.net.http.HttpHeaders;
import java.util.Locale;

/** The type that the header of an answer gives its body. */
public final class MediaType {

  private MediaType() {}

  /** Returns the type in lower case and without parameters; empty if there is none. */
  public static String of(HttpHeaders headers) {
    return of(headers.firstValue("Content-Type").orElse(""));
  }

  /** Returns the type in the value of the header in lower case and without parameters. */
  public static String of(String type) {
    return type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }
}
