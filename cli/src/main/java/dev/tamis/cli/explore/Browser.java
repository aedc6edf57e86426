package dev.tamis.cli.explore;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.util.List;
import java.util.Locale;

/** The browser of the user, by the program that each system has to open a URL. */
final class Browser {

  private Browser() {}

  /**
   * Opens a URL.
   *
   * @throws IOException if the system has no such program
   */
  static void open(URI url) throws IOException {
    new ProcessBuilder(command(System.getProperty("os.name", ""), url))
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.DISCARD)
        .start()
        .getOutputStream()
        .close();
  }

  /** Returns the program of a system with its arguments; none of them is read by a shell. */
  static List<String> command(String system, URI url) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.contains("windows")) {
      return List.of("rundll32", "url.dll,FileProtocolHandler", url.toString());
    }
    return List.of(name.contains("mac") ? "open" : "xdg-open", url.toString());
  }
}
