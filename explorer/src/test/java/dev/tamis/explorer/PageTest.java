package dev.tamis.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Runs the tests of the page, which are written in its own language. */
class PageTest {

  private static final Path NO_INPUT = Path.of(".");
  private static final Path GOLDEN =
      Path.of("..", "core", "src", "test", "resources", "golden", "v1-split.tamis");

  private static final String NO_BROWSER = "no browser";

  @BeforeAll
  static void needsNode() throws IOException, InterruptedException {
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
    try (ExplorerServer server = ExplorerServer.start(GOLDEN)) {
      Node.Run run = node("src/test/browser/run.mjs", server.url().toString());
      assumeFalse(run.out().startsWith(NO_BROWSER), run.out().strip());
      assertPasses(run);
    }
  }

  private static Node.Run node(String... arguments) throws Exception {
    return Node.run(NO_INPUT, List.of(arguments));
  }

  private static void assertPasses(Node.Run run) {
    assertThat(run.exit()).as(run.out()).isZero();
  }
}
