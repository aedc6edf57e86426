package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A document of which one part is written by a program: what is between two markers. */
final class Document {

  /** The line before that part. */
  static final String BEGIN = "<!-- peers:begin -->";

  /** The line after it. */
  static final String END = "<!-- peers:end -->";

  private Document() {}

  /**
   * Replaces what is between the markers of {@code file}.
   *
   * @throws IOException if there is not exactly one pair of them, or the file cannot be replaced
   */
  static void replace(Path file, String text) throws IOException {
    String before = Files.readString(file, UTF_8);
    int begin = before.indexOf(BEGIN);
    int end = before.indexOf(END);
    boolean once = begin == before.lastIndexOf(BEGIN) && end == before.lastIndexOf(END);
    if (begin < 0 || end < begin || !once) {
      throw new IOException(
          file + " must have the line " + BEGIN + " and then the line " + END + ", each once");
    }
    Files.writeString(
        file,
        before.substring(0, begin + BEGIN.length())
            + "\n\n"
            + text.strip()
            + "\n\n"
            + before.substring(end),
        UTF_8);
  }
}
