package dev.tamis.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.bench.peers.Contender;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Param;

class PlanTest {

  @Test
  void everyFilterIsInTheFullRunOfItsKindOfKeys() {
    assertFull("long", Contender::hasLongs);
    assertFull("text", Contender::hasText);
  }

  private static void assertFull(String part, Predicate<Contender> hasKeys) {
    List<String> all =
        Arrays.stream(Contender.values()).filter(hasKeys).map(Contender::id).toList();
    assertThat(tasks(true).filter(task -> task.benchmark().equals(part(part).benchmark())))
        .extracting(Plan.Task::filter)
        .hasSameElementsAs(all);
  }

  @Test
  void noTwoTasksWriteTheSameFile() {
    assertThat(tasks(true)).isNotEmpty().extracting(Plan.Task::name).doesNotHaveDuplicates();
    assertThat(tasks(false)).isNotEmpty().extracting(Plan.Task::name).doesNotHaveDuplicates();
  }

  @Test
  void onlySimdHasTheVectorModule() {
    assertThat(tasks(true))
        .allSatisfy(
            task ->
                assertThat(command(task).contains("jdk.incubator.vector"))
                    .isEqualTo(task.filter().endsWith("-simd")));
  }

  @Test
  void benchmarksHaveTheParametersThatAreSet() {
    assertThat(Plan.PARTS)
        .allSatisfy(
            part -> {
              Class<?> benchmark = Class.forName("dev.tamis.bench.peers." + part.benchmark());
              assertThat(benchmark.getField(part.size()).isAnnotationPresent(Param.class)).isTrue();
              assertThat(part.filters().equals("-"))
                  .isEqualTo(
                      Arrays.stream(benchmark.getFields())
                          .noneMatch(field -> field.getName().equals("contender")));
            });
  }

  @Test
  void aTaskIsOneJvmThatForksNoOther() {
    Plan.Task task = part("threads").tasks(false).get(4);
    assertThat(task.name()).isEqualTo("Threads-tamis-simd-20000000");
    assertThat(task.command("classes", List.of("-XX:+UseZGC"), "out.json"))
        .containsSequence("-Xms6g", "-Xmx6g", "-Xmn256m", "--add-modules", "jdk.incubator.vector")
        .containsSequence("-XX:+UseZGC", "-cp", "classes")
        .containsSequence("-f", "0")
        .containsSequence("-rff", "out.json")
        .containsSequence("-p", "keys=20000000", "-p", "contender=tamis-simd")
        .endsWith("^dev\\.tamis\\.bench\\.peers\\.Threads\\.");
  }

  @Test
  void loadsAreMeasuredWithoutAFilter() {
    Plan.Task task = part("loads").tasks(false).get(0);
    assertThat(task.name()).isEqualTo("RawLoads-25000064");
    assertThat(command(task))
        .containsSequence("-p", "bytes=25000064")
        .noneMatch(word -> word.startsWith("contender"));
  }

  private static Stream<Plan.Task> tasks(boolean full) {
    return Plan.PARTS.stream().flatMap(part -> part.tasks(full).stream());
  }

  private static Plan.Part part(String id) {
    return Plan.PARTS.stream().filter(part -> part.id().equals(id)).findFirst().orElseThrow();
  }

  private static List<String> command(Plan.Task task) {
    return task.command("classes", List.of(), "out.json");
  }
}
