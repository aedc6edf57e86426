package dev.tamis.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.HeapLimit;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A heap that has no room left is the documented exception, and loses nothing. */
@Timeout(120)
class FullHeapTest {

  @Test
  void whatTheHeapCannotHoldIsRefusedWithTheNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HeapLimit.longs(Integer.MAX_VALUE - 16))
        .withMessageStartingWith("the filter needs 17179869048 bytes more than this JVM's heap");
  }

  @Test
  void aFilterThatCannotGrowThrowsAtEachPutAndLosesNothing() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx16m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Grower.class.getName())
            .redirectErrorStream(true)
            .start();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(process.waitFor()).isZero();
  }

  /** Fills a filter until its heap has no room for the next stage. */
  static final class Grower {

    private Grower() {}

    public static void main(String[] args) {
      ScalableBloomFilter<Long> filter = ScalableBloomFilter.create(KeyHasher.longs(), 1_000, 1e-3);
      long taken = 0;
      long refused = 0;
      for (long key = 0; refused < 100; key++) {
        try {
          if (filter.put(key) && refused > 0) {
            throw new AssertionError("took a key after it had refused one");
          }
          taken = refused == 0 ? key + 1 : taken;
        } catch (IllegalArgumentException e) {
          refused++;
        }
      }
      for (long key = 0; key < taken; key++) {
        if (!filter.mightContain(key)) {
          throw new AssertionError("lost key " + key + " of " + taken);
        }
      }
    }
  }
}
