package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.file.HashKeyFile;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@link Seen} accepts and drops in a job. */
@Timeout(180)
class SeenTest {

  private static final int KEYS = 20_000;

  @TempDir private Path folder;

  @Test
  void acceptsEachKeyOnceAndNamesTheRestAsRepeated() throws Exception {
    Seen<Long> seen = Seen.builder(KeyHasher.longs()).expectedKeys(KEYS).fpp(0.01).build();
    Result result = run(seen);
    assertThat(result.first()).doesNotHaveDuplicates();
    assertThat(result.first().size() + result.repeated().size()).isEqualTo(3 * KEYS);
    // 0.17 · n · p is expected, see DropAware
    assertThat(result.wronglyDropped()).hasSizeBetween(1, KEYS / 200);
    assertThat(result.repeated()).containsAll(result.wronglyDropped());
  }

  @Test
  void hashesTheKeyOfAnElement() throws Exception {
    Seen<Long> seen =
        Seen.<Long, String>builder(number -> "key " + number % 100, KeyHasher.text())
            .expectedKeys(100)
            .fpp(1e-6)
            .build();
    Result result = run(seen);
    assertThat(result.first().stream().map(number -> number % 100))
        .hasSize(100)
        .doesNotHaveDuplicates();
  }

  @Test
  void dropsOthersWithASecretKeyOfAFile() throws Exception {
    Path file = folder.resolve("key");
    HashKey unused = HashKeyFile.create(file);
    SeenBuilder<Long> settings =
        Seen.builder(KeyHasher.longs()).expectedKeys(KEYS).fpp(0.05).buckets(16);
    Set<Long> withSeed = run(settings.build()).wronglyDropped();
    Set<Long> withKey = run(settings.keyFile(file.toString()).build()).wronglyDropped();
    assertThat(withKey).isNotEmpty().isNotEqualTo(withSeed);
    assertThat(unused).isNotNull();
  }

  @Test
  void sendsNoSecretKeyWithTheJob() {
    KeyHasher<Long> keyed = KeyHasher.longs().withRandomKey();
    assertThatThrownBy(() -> Seen.builder(keyed))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use keyFile");
  }

  @Test
  void refusesSettingsThatCannotBe() {
    SeenBuilder<Long> settings = Seen.builder(KeyHasher.longs());
    assertThatThrownBy(() -> settings.expectedKeys(0)).hasMessageContaining("at least 1, got 0");
    assertThatThrownBy(() -> settings.fpp(0)).hasMessageContaining("in (0, 1), got 0");
    assertThatThrownBy(() -> settings.fpp(1)).hasMessageContaining("in (0, 1), got 1");
    assertThatThrownBy(() -> settings.fpp(Double.NaN)).hasMessageContaining("got NaN");
    assertThatThrownBy(() -> settings.buckets(0)).hasMessageContaining("1 to 1048576, got 0");
    assertThatThrownBy(() -> settings.buckets((1 << 20) + 1)).hasMessageContaining("got 1048577");
    assertThat(settings.buckets(1).buckets(1 << 20)).isSameAs(settings);
    assertThatThrownBy(settings::build).hasMessage("need expectedKeys and fpp");
    settings.expectedKeys(1).fpp(0.5).seed(1).keyFile("key");
    assertThatThrownBy(settings::build).hasMessageContaining("has no seed, got 1");
  }

  private static Result run(Seen<Long> seen) throws Exception {
    StreamExecutionEnvironment environment = Jobs.environment(2, Jobs.settings());
    SingleOutputStreamOperator<Long> first =
        seen.firstOf(Jobs.numbers(environment, 3 * KEYS, index -> index % KEYS));
    String accepted = Jobs.collect(first);
    String repeated = Jobs.collect(seen.repeatedOf(first));
    Jobs.run(environment);
    return new Result(Jobs.output(accepted), Jobs.output(repeated));
  }

  private record Result(List<Long> first, List<Long> repeated) {

    Set<Long> wronglyDropped() {
      Set<Long> missing = LongStream.range(0, KEYS).boxed().collect(Collectors.toSet());
      missing.removeAll(Set.copyOf(first));
      return missing;
    }
  }
}
