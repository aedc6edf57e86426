package dev.tamis.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.FilterFullException;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.ReferenceFrame.Bloom;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Frames within a frame: each stage right by itself, and still not always right together. */
class ScalableFramesTest {

  private static final long SEED = 7;

  @Test
  void stagesThatFitTogetherAreRead() throws IOException {
    check(ReferenceFrame.scalable(0.01, List.of(stage(0.004), stage(0.003), stage(0.002))));
    check(ReferenceFrame.scalable(0.01, List.of(stage(0.01))));
    check(ReferenceFrame.scalable(Math.nextDown(1.0), List.of(stage(0.5), stage(0.25))));
  }

  @Test
  void stagesMayHaveAnyLayout() throws IOException {
    List<Bloom> stages =
        List.of(
            Bloom.empty(1, 5, 100, SEED, 9, 0.001),
            Bloom.empty(2, 5, 100, SEED, 9, 0.001),
            Bloom.empty(3, 5, 512, SEED, 9, 0.001),
            Bloom.empty(4, 16, 512, SEED, 9, 0.001),
            Bloom.empty(6, 16, 1024, SEED, 9, 0.001));
    check(ReferenceFrame.scalable(0.01, stages));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 63, 64})
  void asManyStagesAsThereMayBe(int count) throws IOException {
    check(ReferenceFrame.scalable(0.01, Collections.nCopies(count, stage(0.0001))));
  }

  @Test
  void noStages() {
    refuse(ReferenceFrame.scalable(0.01, List.of()), "stages at byte 24: expected 1 to 64, got 0");
  }

  @Test
  void moreStagesThanThereMayBe() {
    refuse(
        ReferenceFrame.scalable(0.01, Collections.nCopies(65, stage(0.0001))),
        "stages at byte 24: expected 1 to 64, got 65");
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 2, 4, 5, 64, 65, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL})
  void countThatIsNotThatOfTheStages(long count) {
    byte[] file = ReferenceFrame.scalable(0.01, Collections.nCopies(3, stage(0.0001)));
    refuse(Bytes.repaired(Bytes.with(file, 24, 4, count)), "");
  }

  @Test
  void stageOfAnotherSeed() {
    Bloom other = Bloom.empty(1, 5, 100, SEED + 1, 9, 0.001);
    refuse(
        ReferenceFrame.scalable(0.01, List.of(stage(0.001), stage(0.001), other)),
        "hash of stage 2 at byte 424: expected xxh3 with seed 7, got xxh3 with seed 8");
  }

  @Test
  void stagesWithMoreFppThanTheWhole() {
    refuse(
        ReferenceFrame.scalable(0.01, List.of(stage(0.006), stage(0.003), stage(0.002))),
        "fpp of stage 2 at byte 424: expected a sum of at most 0.01, got 0.002");
    refuse(ReferenceFrame.scalable(0.01, List.of(stage(0.0101))), "fpp of stage 0 at byte 128");
    refuse(ReferenceFrame.scalable(0.01, List.of(stage(1))), "fpp of stage 0 at byte 128");
  }

  /** The next stage would have to be better than a hash of 64 bits. */
  @Test
  void stageFromWhichNoFilterCanGrow() throws IOException {
    for (double fpp : new double[] {Double.MIN_VALUE, 1e-100, 9 * 0x1p-64}) {
      refuse(ReferenceFrame.scalable(0.01, List.of(stage(fpp))), "fpp of stage 0 at byte 128");
    }
    ScalableBloomFilter<CharSequence> last =
        (ScalableBloomFilter<CharSequence>)
            Bytes.read(ReferenceFrame.scalable(0.01, List.of(stage(9.1 * 0x1p-64))));
    assertThatThrownBy(() -> IntStream.range(0, 20).forEach(i -> last.put("key-" + i)))
        .isInstanceOf(FilterFullException.class)
        .hasMessageContaining("filter is full: its stages hold 9 keys");
  }

  /** The specification has no tolerance, and a writer that halves its way down needs none. */
  @Test
  void stagesWithAHairMoreFppThanTheWhole() {
    refuse(ReferenceFrame.scalable(0.01, List.of(stage(Math.nextUp(0.01)))), "fpp of stage 0");
    refuse(ReferenceFrame.scalable(0.01, List.of(stage(0.01 * (1 + 5e-10)))), "fpp of stage 0");
  }

  @Test
  void stageThatIsScalableItself() {
    byte[] file = ReferenceFrame.scalable(0.01, List.of(stage(0.001)));
    refuse(Bytes.repaired(Bytes.with(file, 128 + 10, 2, 2)), "expected 1, got 2");
  }

  @Test
  void stageThatIsDamagedWithinAWholeThatIsNot() {
    byte[] file = ReferenceFrame.scalable(0.01, List.of(stage(0.001), stage(0.002)));
    for (int bit = 8 * 128; bit < 8 * (file.length - 4); bit++) {
      byte[] damaged = file.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      long checksum = ReferenceFrame.crc32c(damaged, damaged.length - 4);
      ReferenceFrame.set(damaged, damaged.length - 4, 4, checksum);
      Refusals.of(damaged); // only the outermost checksum is right
    }
  }

  @Test
  void bytesAfterTheLastStage() {
    byte[] file = ReferenceFrame.scalable(0.01, List.of(stage(0.001)));
    for (int extra = 1; extra < 300; extra++) {
      byte[] longer = Arrays.copyOf(file, file.length + extra);
      ReferenceFrame.set(longer, 16, 8, ReferenceFrame.get(file, 16, 8) + extra);
      ReferenceFrame.set(longer, 124, 4, ReferenceFrame.crc32c(longer, 124));
      ReferenceFrame.set(
          longer, longer.length - 4, 4, ReferenceFrame.crc32c(longer, longer.length - 4));
      refuse(longer, "payload length at byte 16: expected 148, what the stages take");
    }
  }

  /** A stage that claims the rest of the stream for itself gets no further than its frame. */
  @Test
  void stageThatClaimsMoreThanTheWhole() {
    byte[] file = ReferenceFrame.scalable(0.01, List.of(stage(0.001), stage(0.001)));
    for (long payload : new long[] {17, 24, 200, 100_000, Long.MAX_VALUE, -1}) {
      byte[] lying = Bytes.with(file, 128 + 16, 8, payload);
      ReferenceFrame.set(lying, 128 + 32, 8, Math.max(64, 8 * payload));
      refuse(Bytes.repaired(lying), "");
    }
  }

  /** The place of a fault in a stage is told as seen from the start of the file. */
  @Test
  void faultWithinAStageIsFoundWhereItIs() {
    byte[] file = ReferenceFrame.scalable(0.01, List.of(stage(0.001), stage(0.002)));
    int second = 128 + 148;
    byte[] wrongVersion = Bytes.repaired(Bytes.with(file, second + 8, 2, 9));
    assertThat(Refusals.of(wrongVersion).offset()).isEqualTo(second + 8);
  }

  @Test
  void growthKeepsTheSumOfFppWithinTheTotal() throws Exception {
    ScalableBloomFilter<CharSequence> filter =
        ScalableBloomFilter.<CharSequence>builder(KeyHasher.text())
            .initialKeys(1)
            .fpp(0.3)
            .seed(SEED)
            .build();
    List<Integer> counts = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      if (filter.put("key-" + i)) {
        int stages = filter.stages().size();
        if (counts.isEmpty() || counts.get(counts.size() - 1) < stages) {
          counts.add(stages);
          assertThat(ReferenceFrame.read(Bytes.of(filter))).hasSize(stages);
        }
      }
    }
    assertThat(counts).hasSizeGreaterThan(10);
  }

  private static Bloom stage(double fpp) {
    return Bloom.empty(1, 5, 100, SEED, 9, fpp);
  }

  private static void check(byte[] file) throws IOException {
    assertThat(Bytes.of(Bytes.read(file))).isEqualTo(file);
  }

  private static void refuse(byte[] file, String message) {
    assertThat(Refusals.of(file)).hasMessageContaining(message);
  }
}
