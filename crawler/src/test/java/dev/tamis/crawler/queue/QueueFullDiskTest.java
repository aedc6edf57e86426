package dev.tamis.crawler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.JvmCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A disk that takes no more: the system lets no file of a process pass a size. */
@EnabledOnOs(value = {OS.LINUX, OS.MAC}, disabledReason = "limits a process by ulimit")
class QueueFullDiskTest {

  private static final int URLS = 5_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "1000000000, 200", // the log fails
    "30000, 200" // checkpoints fail: the filter is larger than a file may be
  })
  void whatWasAcknowledgedBeforeOrAfterAFailureIsThere(long checkpointBytes, int blocks)
      throws IOException, InterruptedException {
    List<String> said = fill(checkpointBytes, blocks);
    assertThat(said).hasSize(URLS);
    List<String> pushed =
        said.stream()
            .filter(line -> line.startsWith("pushed "))
            .map(line -> line.substring("pushed ".length()))
            .toList();
    assertThat(pushed).hasSizeBetween(100, URLS - 1);
    assertThat(said).filteredOn(line -> line.startsWith("failed ")).isNotEmpty();
    assertThat(said).doesNotContain("refused");
    try (VisitQueue queue = VisitQueue.open(directory)) {
      List<String> there = Queues.drain(queue);
      assertThat(there).containsExactlyElementsOf(pushed);
      assertThat(queue.push("http://h/one/more").isAccepted()).isTrue();
    }
  }

  private List<String> fill(long checkpointBytes, int blocks)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("sh", "-c", "ulimit -f \"$1\" && shift && exec \"$@\"", "sh"));
    command.add(String.valueOf(blocks));
    List<String> options = List.of("-Xmx128m", "-XX:-UsePerfData");
    command.addAll(JvmCommand.of(options, QueueFiller.class, directory, checkpointBytes, URLS));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return said.lines().toList();
  }
}
