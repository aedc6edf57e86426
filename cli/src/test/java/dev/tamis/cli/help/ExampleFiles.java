package dev.tamis.cli.help;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Small files under the names that the documents use for a reader's own. */
final class ExampleFiles {

  private static final Map<String, String> TEXTS =
      Map.of(
          "words.txt", "apple\npear\nplum\napple\n",
          "urls.txt", "https://example.org/a\nhttps://example.org/b\nhttps://example.org/a\n",
          "monday.txt", "ann\nbob\n",
          "tuesday.txt", "bob\ncid\n",
          "spam.txt", ".spam.example\njoe@mail.example\n",
          "domains.txt", "ads.example\ntrack.example\n",
          "customers.txt", "ann@shop.example\n",
          "senders.txt", "ann@www.spam.example\nann@mail.example\n");

  private ExampleFiles() {}

  /** Writes them into a folder, and {@code examples} of the repository beside them. */
  static void writeTo(Path folder, Path repository) throws IOException {
    for (Map.Entry<String, String> file : TEXTS.entrySet()) {
      Files.writeString(folder.resolve(file.getKey()), file.getValue());
    }
    copy(repository.resolve("examples"), folder.resolve("examples"));
    Files.copy(
        repository.resolve("core/src/test/resources/interop/guava-33.8.0.bin"),
        folder.resolve("users.guava"));
  }

  /** Copies a tree without what a build left in it. */
  private static void copy(Path from, Path to) throws IOException {
    Files.copy(from, to);
    if (Files.isDirectory(from)) {
      try (DirectoryStream<Path> children = Files.newDirectoryStream(from)) {
        for (Path child : children) {
          if (!child.getFileName().toString().equals("target")) {
            copy(child, to.resolve(child.getFileName()));
          }
        }
      }
    }
  }
}
