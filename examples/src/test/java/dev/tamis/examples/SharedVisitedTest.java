package dev.tamis.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.crawler.queue.VisitQueue;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX) // where the server runs that comes with it
class SharedVisitedTest {

  private static final Path LINKS = Path.of("links.txt");

  @Test
  void twoProcessesTakeEachUrlOnceInAll() throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    SharedVisited.runWithOwnServer(LINKS, new PrintStream(printed, true, UTF_8));
    List<String> lines = printed.toString(UTF_8).lines().toList();

    VisitQueue alone = VisitQueue.builder().expectedKeys(100_000).fpp(1e-6).build();
    Files.readAllLines(LINKS).forEach(alone::push);
    assertThat(lines)
        .hasSize(4)
        .endsWith("different URLs accepted: " + alone.stats().accepted(), "accepted by both: 0");
    assertThat(lines.get(0)).startsWith("process 1: pushed=9026 accepted=");
    assertThat(lines.get(1)).startsWith("process 2: pushed=9026 accepted=");
  }
}
