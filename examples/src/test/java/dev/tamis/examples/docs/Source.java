package dev.tamis.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A source file with regions, each between a line {@code // region NAME} and a line {@code // end
 * NAME}.
 */
record Source(Path path, String content) {

  static Source read(Path path) throws IOException {
    return new Source(path, Files.readString(path, UTF_8));
  }

  /** Returns the text of a region, without the indentation that all its lines share. */
  String region(String name) {
    String begin = "// region " + name + "\n";
    String end = "// end " + name + "\n";
    int from = content.indexOf(begin);
    int to = content.indexOf(end);
    if (from < 0 || to < from || content.indexOf(begin, from + 1) >= 0) {
      throw new IllegalStateException(
          path + " must have \"" + begin.strip() + "\" and \"" + end.strip() + "\", each once");
    }
    return content
        .substring(from + begin.length(), content.lastIndexOf('\n', to) + 1)
        .stripTrailing()
        .stripIndent();
  }

  /** Returns the names of all regions in their order. */
  List<String> regions() {
    return Pattern.compile("(?m)^ *// region (\\S+)$")
        .matcher(content)
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  /** Returns the imports that a text needs, as far as they are those of this file. */
  String importsFor(String text) {
    return content
        .lines()
        .filter(line -> line.startsWith("import ") && !line.startsWith("import static "))
        .filter(
            line -> {
              String type = line.substring(line.lastIndexOf('.') + 1, line.length() - 1);
              return Pattern.compile("\\b" + type + "\\b").matcher(text).find();
            })
        .collect(Collectors.joining("\n"));
  }
}
