package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that is started without its arguments says what they are. */
class UsageTest {

  @ParameterizedTest
  @ValueSource(
      classes = {
        CrawlSite.class,
        DropRepeats.class,
        GuardedLookups.class,
        SpamFilter.class,
        ToVisit.class
      })
  void withoutArgumentsTheUsageIsPrinted(Class<?> program) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                program.getName())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isEqualTo(2);
    assertThat(printed).startsWith("usage: java " + program.getName() + " ").hasLineCount(1);
  }
}
