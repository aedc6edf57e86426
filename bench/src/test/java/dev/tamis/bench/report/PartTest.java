package dev.tamis.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.bench.peers.Contender;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartTest {

  @Test
  void everyContenderIsInTheFullRun() {
    List<String> measured =
        Arrays.stream(Part.values())
            .flatMap(part -> part.tasks(Form.FULL).stream())
            .filter(task -> task.parameters().containsKey("contender"))
            .map(task -> task.parameters().get("contender"))
            .distinct()
            .toList();
    assertThat(measured)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(Contender.values()).map(Contender::id).toList());
  }

  @Test
  void noTwoTasksWriteTheSameFile() {
    for (Part part : Part.values()) {
      assertThat(part.tasks(Form.FULL)).isNotEmpty().extracting(Task::name).doesNotHaveDuplicates();
      assertThat(part.tasks(Form.QUICK)).isNotEmpty();
    }
  }

  @Test
  void onlySimdHasTheVectorModule() {
    for (Part part : Part.values()) {
      for (Task task : part.tasks(Form.FULL)) {
        assertThat(task.jvmArguments().contains("jdk.incubator.vector"))
            .isEqualTo("tamis-simd".equals(task.parameters().get("contender")));
      }
    }
  }

  @Test
  void aTaskIsOneJvmThatForksNoOther() {
    Task task = Part.THREADS.tasks(Form.QUICK).get(1);
    assertThat(task.command("classes", List.of("-XX:+UseZGC"), "out.json"))
        .containsSequence("-Xms6g", "-Xmx6g", "-XX:+UseZGC", "-cp", "classes")
        .containsSequence("-f", "0")
        .containsSequence("-rff", "out.json")
        .containsSequence("-p", "contender=tamis-concurrent", "-p", "keys=20000000")
        .containsSequence("-p", "threads=2")
        .endsWith("^dev\\.tamis\\.bench\\.peers\\.Threads\\.");
  }

  @Test
  void partsAndFormsAreFoundByName() {
    assertThat(Part.named("long")).contains(Part.LONG);
    assertThat(Part.named("LONG")).isEmpty();
    assertThat(Form.named("quick")).contains(Form.QUICK);
    assertThat(Form.named("full")).contains(Form.FULL);
    assertThat(Form.named("")).isEmpty();
  }
}
