package dev.tamis.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every jar that Tamis brings along was approved: name, version, licence, and which modules. */
class ApprovedJarsTest {

  private static final RunTimeJars APPROVED =
      RunTimeJars.approved(
          Stream.of(
              "# what others have written",
              "",
              "a:kept | 1 | MIT | core cli | its reason",
              "a:other | 1 | MIT | core cli | its reason"));

  @Test
  void modulesRunWithApprovedJarsOnly() {
    assertThat(RunTimeJars.resolved().differencesFrom(RunTimeJars.approved())).isEmpty();
  }

  @Test
  void everyModuleIsResolved() {
    assertThat(RunTimeJars.resolved().facts().get("com.dynatrace.hash4j:hash4j"))
        .endsWith(" | core tools crawler blocklist redis cli");
    assertThat(RunTimeJars.resolved().facts().get("io.lettuce:lettuce-core")).endsWith(" | redis?");
  }

  @Test
  void whatIsNewMissingOrDifferentIsNamedWithWhatToDo() {
    assertThat(found("a:kept | 1 | MIT | core cli", "a:other | 1 | MIT | core cli")).isEmpty();
    assertThat(found("a:kept | 1 | MIT | core cli", "b:new | 2 | GPL | cli?"))
        .containsExactly(
            "b:new: a new jar, not in approved-jars.txt: 2 | GPL | cli?; exclude it in the pom, or"
                + " add a line that says why it is needed",
            "a:other: approved with 1 | MIT | core cli, but no module runs with it; delete the line"
                + " in approved-jars.txt");
    for (String changed :
        new String[] {"1.1 | MIT | core cli", "1 | SSPL | core cli", "1 | MIT | core tools cli"}) {
      assertThat(found("a:kept | " + changed, "a:other | 1 | MIT | core cli"))
          .containsExactly(
              "a:kept: approved with 1 | MIT | core cli, got "
                  + changed
                  + "; look at what has changed, then change the line in approved-jars.txt");
    }
  }

  private static List<String> found(String... jars) {
    return RunTimeJars.approved(Stream.of(jars).map(jar -> jar + " | any reason"))
        .differencesFrom(APPROVED);
  }

  @Test
  void aLineNeedsAReasonAndAJarOneLine() {
    assertThatThrownBy(() -> RunTimeJars.approved(Stream.of("a:kept | 1 | MIT | cli | ")))
        .hasMessageStartingWith("approved-jars.txt: a line must be JAR | VERSION | ");
    assertThatThrownBy(() -> found("a:kept | 1 | MIT | core", "a:kept | 1 | MIT | cli"))
        .hasMessage("approved-jars.txt: must have one line for a:kept, got two");
  }
}
