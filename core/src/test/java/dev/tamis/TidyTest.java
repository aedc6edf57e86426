package dev.tamis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The habits of the tree that no compiler and no formatter keeps, after TigerBeetle's tidy. */
class TidyTest {

  private static final int MAX_JAVA_LINES = 500;
  private static final int MAX_MARKDOWN_CODE_COLUMNS = 100;
  private static final int MAX_MARKDOWN_PROSE_COLUMNS = 120;
  private static final int MAX_DECISION_LINES = 30;
  private static final int MAX_FIRST_SENTENCE_CHARACTERS = 120;

  /** Larger than any handwritten file; a stray data set must not fill the heap. */
  private static final int MAX_TEXT_BYTES = 4 << 20;

  /** Java files that may be longer than the rest, each with the reason. */
  private static final Map<String, String> LONG_FOR_A_REASON =
      Map.of(
          "core/src/main/java/dev/tamis/filter/WindowedBloomFilter.java",
          "puts, rotations and lookups of one filter, whose proof needs them side by side");

  /** What a newcomer finds in the root; whatever else belongs in a folder. */
  private static final Set<String> ROOT =
      Set.of(
          ".ci",
          ".editorconfig",
          ".gitattributes",
          ".github",
          ".gitignore",
          ".mvn",
          "CHANGELOG.md",
          "CITATION.cff",
          "CODE_OF_CONDUCT.md",
          "CONTRIBUTING.md",
          "LICENSE",
          "README.md",
          "SECURITY.md",
          "bench",
          "bom",
          "cli",
          "core",
          "dist",
          "docs",
          "examples",
          "explorer",
          "flink",
          "tools",
          "crawler",
          "blocklist",
          "pom.xml",
          "published",
          "redis",
          "spark",
          "tamis",
          "tamis.cmd");

  /** Files that editors and the programs in the documents leave in the root. */
  private static final Pattern LEFT_BEHIND =
      Pattern.compile(".*\\.iml|jcstress-results-.*|family\\.json");

  /** What builds, editors and Git leave about. */
  private static final Set<String> NOT_OURS =
      Set.of(
          ".DS_Store",
          ".cifuzz-corpus",
          ".git",
          ".idea",
          ".settings",
          ".vscode",
          "node_modules",
          "results",
          "target");

  private static final Pattern PRINTING = Pattern.compile("(bench|cli|dist|examples)/.*");

  /** Folders of one machine, and registries, which the user of a build chooses. */
  private static final Pattern ONE_MACHINE =
      Pattern.compile(
          "(?<![\\w.])/(work|root)/"
              + "|\\brepo1?\\.maven\\b|\\b(central|oss)\\.sonatype\\b|\\bregistry\\.npmjs\\b"
              + "|\\bpypi\\.org\\b|\\bpythonhosted\\.org\\b|\\bcrates\\.io\\b|\\bdocker\\.io\\b");

  /** A count that a new layout makes false. */
  private static final Pattern NUMBER_OF_LAYOUTS =
      Pattern.compile("\\b(three|four|five|six|seven|eight) (blocked )?layouts\\b");

  /** Lines of Markdown that cannot be wrapped. */
  private static final Pattern UNBREAKABLE = Pattern.compile("\\s*(\\||#|<!--|!\\[|\\S+$).*");

  /** Dependencies of modules in a document, such as {@code cli → tools, redis → core}. */
  private static final Pattern ARROWS =
      Pattern.compile("`([a-z]+(?:, [a-z]+)*(?: → [a-z]+(?:, [a-z]+)*)+)`");

  /** A dependency of a pom on another module, of scope compile. */
  private static final Pattern MODULE =
      Pattern.compile(
          "<artifactId>tamis-([a-z]+)</artifactId>\\s*"
              + "(?:<version>[^<]*</version>\\s*)?</dependency>");

  /** A condition of a test with its arguments. */
  private static final Pattern SYSTEM = Pattern.compile("@(?:En|Dis)abledOnOs\\([^)]*\\)");

  private static final Pattern UNOWNED_TODO = Pattern.compile("\\bTO" + "DO\\b(?!\\(#(\\d+|n)\\))");
  private static final Pattern PRINT = Pattern.compile("\\bSystem\\.(out|err)\\b");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "(?m)^public (?:(?:abstract|final|sealed|non-sealed) )*"
              + "(?:class|interface|@interface|record|enum) (\\w+)");

  private static final Path REPOSITORY = repository();
  private static final List<Text> TEXTS = texts();

  @Test
  void javaFilesAreShortOrHaveAReason() {
    assertThat(TEXTS.stream().filter(Text::isJava))
        .filteredOn(text -> !LONG_FOR_A_REASON.containsKey(text.path()))
        .filteredOn(text -> text.lines().size() > MAX_JAVA_LINES)
        .extracting(text -> text.path() + " has " + text.lines().size() + " lines")
        .isEmpty();
  }

  @Test
  void reasonsForLengthAreStillNeeded() {
    assertThat(LONG_FOR_A_REASON.keySet())
        .allMatch(
            path ->
                TEXTS.stream()
                    .filter(text -> text.path().equals(path))
                    .anyMatch(text -> text.lines().size() > MAX_JAVA_LINES));
  }

  @Test
  void testsThatASystemSkipsSayWhy() {
    assertThat(TEXTS.stream().filter(Text::isJava))
        .flatMap(
            text ->
                SYSTEM
                    .matcher(text.content())
                    .results()
                    .map(found -> text.path() + ": " + found.group())
                    .toList())
        .filteredOn(found -> !found.contains("disabledReason"))
        .isEmpty();
  }

  @Test
  void whatIsLeftToDoHasANumber() {
    assertThat(linesWith(UNOWNED_TODO, text -> true)).isEmpty();
  }

  @Test
  void onlyTheModulesThatPrintPrint() {
    assertThat(linesWith(PRINT, text -> text.isJava() && !text.isIn(PRINTING))).isEmpty();
  }

  @Test
  void nothingNamesOneMachine() {
    assertThat(linesWith(ONE_MACHINE, text -> true)).isEmpty();
  }

  @Test
  void publicTypesSayWhatTheyAreInAShortSentence() {
    assertThat(TEXTS.stream().filter(Text::isJava).flatMap(TidyTest::longFirstSentences)).isEmpty();
  }

  @Test
  void codeInMarkdownFitsThePage() {
    assertThat(TEXTS.stream().filter(Text::isMarkdown).flatMap(text -> longLines(text, true)))
        .isEmpty();
  }

  @Test
  void proseInMarkdownIsWrapped() {
    assertThat(TEXTS.stream().filter(Text::isMarkdown).flatMap(text -> longLines(text, false)))
        .isEmpty();
  }

  @Test
  void decisionsAreShort() {
    assertThat(TEXTS.stream().filter(text -> text.path().matches("docs/decisions/\\d.*")))
        .filteredOn(text -> text.lines().size() > MAX_DECISION_LINES)
        .extracting(text -> text.path() + " has " + text.lines().size() + " lines")
        .isEmpty();
  }

  @Test
  void documentsDoNotCountLayouts() {
    assertThat(linesWith(NUMBER_OF_LAYOUTS, text -> text.path().matches("docs/.*\\.md"))).isEmpty();
  }

  @Test
  void documentsDrawTheDependenciesOfThePoms() {
    Set<String> real =
        TEXTS.stream()
            .filter(text -> text.path().matches("(?!bom/)[a-z]+/pom.xml"))
            .filter(text -> text.content().contains("<artifactId>tamis-published</artifactId>"))
            .flatMap(TidyTest::dependencies)
            .collect(Collectors.toSet());
    for (Text text : TEXTS) {
      if (text.isMarkdown()) {
        assertThat(arrows(text)).as("dependencies drawn in " + text.path()).isSubsetOf(real);
      }
    }
    Text contributing =
        TEXTS.stream()
            .filter(text -> text.path().equals("CONTRIBUTING.md"))
            .findAny()
            .orElseThrow();
    assertThat(arrows(contributing)).containsExactlyInAnyOrderElementsOf(real);
  }

  @Test
  void theRootHoldsOnlyWhatANewcomerOpens() throws IOException {
    try (Stream<Path> children = Files.list(REPOSITORY)) {
      assertThat(children.map(child -> child.getFileName().toString()))
          .filteredOn(name -> !NOT_OURS.contains(name) && !LEFT_BEHIND.matcher(name).matches())
          .isSubsetOf(ROOT);
    }
  }

  @Test
  void everyGoldenFileIsReadByATest() throws IOException {
    Path golden = REPOSITORY.resolve("core/src/test/resources/golden");
    if (!Files.isDirectory(golden)) {
      return;
    }
    List<String> tests =
        TEXTS.stream()
            .filter(text -> text.isJava() && text.path().contains("/src/test/"))
            .map(Text::content)
            .toList();
    try (Stream<Path> files = Files.walk(golden).filter(Files::isRegularFile)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .allMatch(name -> tests.stream().anyMatch(test -> test.contains(stem(name))));
    }
  }

  private static String stem(String name) {
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  private static List<String> linesWith(Pattern pattern, Predicate<Text> where) {
    List<String> found = new ArrayList<>();
    for (Text text : TEXTS) {
      if (where.test(text)) {
        List<String> lines = text.lines();
        for (int i = 0; i < lines.size(); i++) {
          if (pattern.matcher(lines.get(i)).find()) {
            found.add(text.path() + ":" + (i + 1) + ": " + lines.get(i).strip());
          }
        }
      }
    }
    return found;
  }

  private static Stream<String> longFirstSentences(Text text) {
    List<String> found = new ArrayList<>();
    Matcher type = PUBLIC_TYPE.matcher(text.content());
    while (type.find()) {
      String sentence = firstSentence(text.content().substring(0, type.start()));
      if (sentence.length() > MAX_FIRST_SENTENCE_CHARACTERS) {
        found.add(text.path() + ": " + sentence.length() + " characters: " + sentence);
      }
    }
    return found.stream();
  }

  /** Returns the first sentence of the last Javadoc in {@code source}, as rendered. */
  private static String firstSentence(String source) {
    int start = source.lastIndexOf("/**");
    if (start < 0) {
      return "";
    }
    String words =
        source
            .substring(start + 3, source.indexOf("*/", start))
            .replaceAll("(?m)^ *\\* ?", "")
            .replaceAll("\\{@\\w+ ([^{}]*)}", "$1")
            .replaceAll("\\s+", " ")
            .strip();
    return words.split("(?<=\\.) | (?=<p>|@[a-z])", 2)[0].replaceAll("<[^>]*>", "");
  }

  /** Returns the long lines of a Markdown file, of its code or of its prose. */
  private static Stream<String> longLines(Text text, boolean ofCode) {
    int most = ofCode ? MAX_MARKDOWN_CODE_COLUMNS : MAX_MARKDOWN_PROSE_COLUMNS;
    List<String> found = new ArrayList<>();
    boolean code = false;
    List<String> lines = text.lines();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.stripLeading().startsWith("```")) {
        code = !code;
      } else if (code == ofCode
          && line.codePointCount(0, line.length()) > most
          && (ofCode || !UNBREAKABLE.matcher(line).matches())) {
        found.add(text.path() + ":" + (i + 1) + ": " + line);
      }
    }
    return found.stream();
  }

  private static Stream<String> dependencies(Text pom) {
    String module = pom.path().substring(0, pom.path().indexOf('/'));
    return MODULE.matcher(pom.content()).results().map(to -> module + " → " + to.group(1));
  }

  private static Set<String> arrows(Text document) {
    Set<String> arrows = new HashSet<>();
    Matcher chain = ARROWS.matcher(document.content());
    while (chain.find()) {
      String[] groups = chain.group(1).split(" → ", -1);
      for (int i = 1; i < groups.length; i++) {
        for (String from : groups[i - 1].split(", ", -1)) {
          for (String to : groups[i].split(", ", -1)) {
            arrows.add(from + " → " + to);
          }
        }
      }
    }
    return arrows;
  }

  private static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (folder != null && !Files.isRegularFile(folder.resolve("tamis"))) {
      folder = folder.getParent();
    }
    if (folder == null) {
      throw new IllegalStateException("no folder above this one holds the launcher, tamis");
    }
    return folder;
  }

  private static List<Text> texts() {
    List<Text> texts = new ArrayList<>();
    try {
      Files.walkFileTree(
          REPOSITORY,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
              return NOT_OURS.contains(folder.getFileName().toString())
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              // .git is a file where the tree is a second one of its repository
              if (attributes.size() <= MAX_TEXT_BYTES && !file.endsWith(".git")) {
                byte[] bytes = Files.readAllBytes(file);
                if (isText(bytes)) {
                  String path = REPOSITORY.relativize(file).toString().replace('\\', '/');
                  texts.add(new Text(path, new String(bytes, UTF_8)));
                }
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new IllegalStateException("cannot read the tree", e);
    }
    return texts;
  }

  /** Git's own test: no NUL near the beginning. */
  private static boolean isText(byte[] bytes) {
    for (int i = 0; i < Math.min(bytes.length, 8_000); i++) {
      if (bytes[i] == 0) {
        return false;
      }
    }
    return true;
  }

  private record Text(String path, String content) {

    List<String> lines() {
      return content.lines().toList();
    }

    boolean isJava() {
      return path.endsWith(".java");
    }

    boolean isMarkdown() {
      return path.endsWith(".md");
    }

    boolean isIn(Pattern folders) {
      return folders.matcher(path).matches();
    }
  }
}
