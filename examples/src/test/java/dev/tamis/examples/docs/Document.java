package dev.tamis.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Markdown file of the repository.
 *
 * @param path where it is
 * @param text what it says
 */
record Document(Path path, String text) {

  /** The repository, from the directory in which tests run. */
  static final Path REPOSITORY = Path.of("..");

  /** What is in front of a block that shows a region, or what it prints. */
  private static final Pattern MARKER =
      Pattern.compile("<!-- (java|prints): (\\S+)#(\\S+?)(, with imports)? -->");

  private static final Pattern BUILT = Pattern.compile("target|node_modules|\\..*");

  /** Gives the text of a block. */
  interface Blocks {

    /** Returns the block of a marker: a region of a file, or what that region prints. */
    String of(boolean printed, Path file, String region, boolean withImports) throws Exception;
  }

  /** Reads every document, as far as it is not a product of a build. */
  static List<Document> all() throws IOException {
    List<Document> documents = new ArrayList<>();
    Files.walkFileTree(
        REPOSITORY,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            boolean isBuilt = BUILT.matcher(folder.getFileName().toString()).matches();
            return isBuilt && !folder.equals(REPOSITORY)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            if (file.toString().endsWith(".md")) {
              documents.add(new Document(file, Files.readString(file, UTF_8)));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    documents.sort(Comparator.comparing(Document::path));
    return documents;
  }

  static Document read(String path) throws IOException {
    Path file = REPOSITORY.resolve(path);
    return new Document(file, Files.readString(file, UTF_8));
  }

  /** Returns the text with each marked block as it should be. */
  String updated(Blocks blocks) throws Exception {
    StringBuilder updated = new StringBuilder();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      updated.append(lines.get(i)).append('\n');
      Matcher marker = MARKER.matcher(lines.get(i));
      if (marker.matches()) {
        int fence = i + 1;
        if (fence >= lines.size() || !lines.get(fence).startsWith("```")) {
          throw new IllegalStateException(this + ":" + fence + " must be followed by a block");
        }
        updated.append(lines.get(fence)).append('\n');
        String block =
            blocks.of(
                marker.group(1).equals("prints"),
                REPOSITORY.resolve(marker.group(2)),
                marker.group(3),
                marker.group(4) != null);
        updated.append(block.stripTrailing()).append("\n```\n");
        i = fence + 1;
        while (!lines.get(i).equals("```")) {
          i++;
        }
      }
    }
    return updated.toString();
  }

  /** Returns the first lines of Java that do not come from a region. */
  List<String> javaWithoutSource() {
    List<String> found = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).equals("```java")
          && (i == 0 || !MARKER.matcher(lines.get(i - 1)).matches())) {
        found.add(this + ":" + (i + 2) + ": " + lines.get(i + 1));
      }
    }
    return found;
  }

  @Override
  public String toString() {
    return REPOSITORY.relativize(path).toString();
  }
}
