package dev.tamis.crawler.crawl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Real documentation, in whole and once each, whether or not the crawl is killed on the way. */
@Tag("thorough")
class DocumentationTest {

  private static final Pattern LINK =
      Pattern.compile("<a\\s[^>]*?href=\"([^\"]*)\"", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
  private static final int KILLS = 20;

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "python3.11-doc, usr/share/doc/python3.11/html, 500",
    "openjdk-17-doc, usr/share/doc/openjdk-17-jre-headless/api, 5000",
  })
  @Timeout(900)
  void everyPageThatLinksLeadToIsListedOnce(String name, String folder, int least)
      throws Exception {
    Path root = unpacked(name).resolve(folder);
    Map<String, Path> files = files(root);
    Set<String> expected = reachable(files);
    assertThat(expected).hasSizeGreaterThan(least);
    try (Site site = new Site()) {
      files.forEach((path, file) -> site.on(path, exchange -> send(exchange, file)));
      Crawls.Result whole = Crawls.of(site.url("/index.html"));
      assertSame(pages(site, whole.list().lines()), expected);
      assertThat(site.asked()).doesNotHaveDuplicates();

      Random random = new Random(3);
      int kills = 0;
      while (CrawlVictim.run(
          site,
          "/index.html",
          directory,
          kills < KILLS ? 1 + random.nextInt(expected.size() / KILLS) : Integer.MAX_VALUE,
          random)) {
        kills++;
      }
      assertThat(kills).isEqualTo(KILLS);
      try (Stream<String> lines = Files.lines(directory.resolve("pages.tsv"))) {
        assertSame(pages(site, lines), expected);
      }
    }
  }

  /** Returns the folder of a Debian package, or skips the test where it cannot be had. */
  private Path unpacked(String name) throws IOException, InterruptedException {
    boolean there =
        run("apt-get", "-q", "download", name)
            && run("sh", "-c", "dpkg -x " + name + "*.deb unpacked");
    assumeTrue(there, "the Debian package " + name + " cannot be downloaded and unpacked here");
    return directory.resolve("unpacked");
  }

  private boolean run(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("said").toFile())
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false; // there is no such command on this system
    }
  }

  private static Map<String, Path> files(Path root) throws Exception {
    Map<String, Path> files = new HashMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths.filter(Files::isRegularFile)::iterator) {
        files.put(raw("/" + root.relativize(path)), path);
      }
    }
    return files;
  }

  private static String raw(String path) throws URISyntaxException {
    return new URI(null, null, path, null).getRawPath();
  }

  /** Follows links from the index in the plainest way. */
  private static Set<String> reachable(Map<String, Path> files) throws IOException {
    Set<String> found = new TreeSet<>(Set.of("/index.html"));
    ArrayDeque<String> left = new ArrayDeque<>(found);
    while (!left.isEmpty()) {
      String path = left.remove();
      String page = Files.readString(files.get(path), StandardCharsets.UTF_8);
      Matcher link = LINK.matcher(page);
      while (link.find()) {
        String reference = link.group(1).replace("&amp;", "&").replaceAll("#.*", "").strip();
        if (!reference.matches("[a-z]+:.*|//.*|.*[ {}<>\\\\].*")) {
          String target = URI.create(path).resolve(reference).getPath();
          if (target.endsWith(".html") && files.containsKey(target) && found.add(target)) {
            left.add(target);
          }
        }
      }
    }
    return found;
  }

  private static void assertSame(Set<String> listed, Set<String> expected) {
    assertThat(without(expected, listed)).as("missing").isEmpty();
    assertThat(without(listed, expected)).as("too many").isEmpty();
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> rest = new TreeSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static Set<String> pages(Site site, Stream<String> lines) {
    List<String> pages =
        lines
            .map(line -> line.split("\t", -1))
            .filter(fields -> fields[1].equals(Outcome.PAGE.label()))
            .map(fields -> fields[0].substring(site.url("").length()))
            .toList();
    assertThat(pages).doesNotHaveDuplicates();
    return new TreeSet<>(pages);
  }

  private static void send(com.sun.net.httpserver.HttpExchange exchange, Path file)
      throws IOException {
    String type = file.toString().endsWith(".html") ? "text/html" : "application/octet-stream";
    Site.send(exchange, 200, type, Files.readAllBytes(file));
  }
}
