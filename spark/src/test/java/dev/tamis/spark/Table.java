package dev.tamis.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** The Markdown table that a comparison writes, line by line as it measures. */
record Table(Path file) {

  /** Starts a table in a new file. */
  static Table start(Path file, String header, String alignment) throws IOException {
    Files.writeString(file, header + "\n" + alignment + "\n");
    return new Table(file);
  }

  /** Adds a line. */
  void add(String format, Object... values) throws IOException {
    Files.writeString(
        file, String.format(Locale.ROOT, format, values) + "\n", StandardOpenOption.APPEND);
  }
}
