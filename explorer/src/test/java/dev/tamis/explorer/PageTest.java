package dev.tamis.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the tests of the page, which are written in its own language. */
class PageTest {

  private static final Path GOLDEN =
      Path.of("..", "core", "src", "test", "resources", "golden", "v1-split.tamis");

  /** What the build reports at its end. */
  private static final Path UNTESTED = Path.of("target", "untested.txt");

  /** Whether this is more than a quick run: packages are installed, and a browser is started. */
  private static final boolean COMPLETE = Boolean.getBoolean("tamis.tests.page");

  private static final String NO_BROWSER = "no browser";

  @BeforeAll
  static void setUpNode() throws IOException, InterruptedException {
    if (COMPLETE) {
      Files.deleteIfExists(UNTESTED);
      if (!Node.isPresent()) {
        report("the explorer page, for lack of Node.js 20 or newer: apt-get install nodejs npm");
      } else if (!Node.installPackages()) {
        report("the explorer page, for lack of its packages: npm ci --prefix explorer");
      }
    }
    Node.assumeInstalled();
  }

  @Test
  void thePageIsWhatItsSourcesMake() throws Exception {
    assertPasses(node("build.mjs", "--check"));
  }

  @Test
  void modulesKeepTheirPromises() throws Exception {
    assertPasses(node("--test", "src/test/page/"));
  }

  @Test
  void sourcesAreFormattedAndLinted() throws Exception {
    assertPasses(node("node_modules/prettier/bin/prettier.cjs", "--check", "."));
    assertPasses(node("node_modules/eslint/bin/eslint.js", "--max-warnings", "0"));
  }

  @Test
  void typesFitTogether() throws Exception {
    assertPasses(node("node_modules/typescript/bin/tsc", "--noEmit"));
  }

  @Test
  void aBrowserShowsIt() throws Exception {
    assumeTrue(COMPLETE, "a quick run starts no browser");
    try (ExplorerServer server = ExplorerServer.start(GOLDEN)) {
      Node.Run run = node("src/test/browser/run.mjs", server.url().toString());
      if (run.out().startsWith(NO_BROWSER)) {
        report("the explorer page in a browser, for lack of one: apt-get install chromium");
      }
      assumeFalse(run.out().startsWith(NO_BROWSER), run.out().strip());
      assertPasses(run);
    }
  }

  private static void report(String untested) throws IOException {
    Files.writeString(UNTESTED, untested);
  }

  private static Node.Run node(String... arguments) throws Exception {
    return Node.run(Node.NO_INPUT, List.of(arguments));
  }

  private static void assertPasses(Node.Run run) {
    assertThat(run.exit()).as(run.out()).isZero();
  }
}
