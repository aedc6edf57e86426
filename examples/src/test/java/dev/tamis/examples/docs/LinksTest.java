package dev.tamis.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every relative link of a document leads to a file of the repository, and to a heading in it. */
class LinksTest {

  private static final Pattern LINK = Pattern.compile("\\[[^]]*]\\(([^)\\s]+)\\)");
  private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
  private static final Pattern TEST =
      Pattern.compile("`([A-Z]\\w*[a-z](?:Test|Conformance|IT))\\b[^`]*`");
  private static final Pattern MISSING_IN_TAMIS =
      Pattern.compile("\\| `RBloomFilter(\\w+)`[^|]*\\| none \\|");
  private static final Pattern CODE = Pattern.compile("(?ms)^```.*?^```$|`[^`\n]*`");

  static List<Document> documents() throws IOException {
    return Document.all();
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyRelativeLinkLeadsSomewhere(Document document) throws IOException {
    assertThat(broken(document)).isEmpty();
  }

  @Test
  void everyDocumentAndFigureIsLinkedFromAnother() throws IOException {
    Set<Path> linked = new HashSet<>();
    for (Document document : Document.all()) {
      for (String link : links(document)) {
        linked.add(document.path().resolveSibling(link.replaceAll("#.*", "")).normalize());
      }
    }
    Path documents = Document.REPOSITORY.resolve("docs");
    try (var files = Files.walk(documents)) {
      assertThat(files.filter(Files::isRegularFile))
          .filteredOn(file -> !linked.contains(file.normalize()))
          .filteredOn(file -> !file.startsWith(documents.resolve("decisions"))) // read as a folder
          .as("files in docs that nothing links to")
          .isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void everyTestThatADocumentNamesExists(Document document) throws IOException {
    assertThat(TEST.matcher(document.text()).results().map(test -> test.group(1)))
        .isSubsetOf(sourceFiles(Document.REPOSITORY));
  }

  @Test
  void whatRedissonHasAndTamisHasNotIsReallyAbsent() throws IOException {
    List<String> absent =
        MISSING_IN_TAMIS
            .matcher(Document.read("docs/from-redisson.md").text())
            .results()
            .map(row -> row.group(1))
            .toList();
    assertThat(absent).isNotEmpty();
    assertThat(sourceFiles(Document.REPOSITORY.resolve("redis/src/main")))
        .noneMatch(type -> absent.stream().anyMatch(type::contains));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "## What a server can lose | what-a-server-can-lose",
        "# `dedup` compared with awk and sort | dedup-compared-with-awk-and-sort",
        "### Fuse or ribbon? | fuse-or-ribbon",
        "## Kind 1: Bloom filter, _so_ named | kind-1-bloom-filter-_so_-named",
      })
  void anchorsAreThoseOfTheSitesThatShowMarkdown(String heading, String anchor) {
    assertThat(anchors(heading)).containsExactly(anchor);
  }

  /** Returns the names of all Java files, without their suffix. */
  private static Set<String> sourceFiles(Path folder) throws IOException {
    Set<String> names = new HashSet<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes unused) {
            String name = file.getFileName().toString();
            if (name.endsWith(".java")) {
              names.add(name.replace(".java", ""));
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // other tests delete what they wrote
          }
        });
    return names;
  }

  private static List<String> broken(Document document) throws IOException {
    List<String> broken = new ArrayList<>();
    for (String link : links(document)) {
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? document.path() : document.path().resolveSibling(parts[0]);
      if (!Files.exists(target)) {
        broken.add(document + ": " + link + ": no such file");
      } else if (parts.length == 2 && !anchors(Files.readString(target)).contains(parts[1])) {
        broken.add(document + ": " + link + ": no such heading");
      }
    }
    return broken;
  }

  /** Returns the targets of all links within the repository. */
  private static List<String> links(Document document) {
    List<String> links = new ArrayList<>();
    Matcher link = LINK.matcher(CODE.matcher(document.text()).replaceAll("``"));
    while (link.find()) {
      if (!ELSEWHERE.matcher(link.group(1)).matches()) {
        links.add(link.group(1));
      }
    }
    return links;
  }

  private static Set<String> anchors(String text) {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> times = new HashMap<>();
    boolean code = false;
    for (String line : text.lines().toList()) {
      code ^= line.startsWith("```");
      if (!code && line.matches("#+ .*")) {
        String anchor =
            line.replaceFirst("^#+ ", "")
                .strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
        int before = times.merge(anchor, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? anchor : anchor + "-" + before);
      }
    }
    return anchors;
  }
}
