package dev.tamis.filter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.tamis.JvmCommand;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.HeapLimit;
import dev.tamis.sizing.Layout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A heap that has no room left is the documented exception, and loses nothing. */
@Timeout(120)
class FullHeapTest {

  @Test
  void whatTheHeapCannotHoldIsRefusedWithTheNumbers() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HeapLimit.longs(Integer.MAX_VALUE - 16))
        .withMessageStartingWith("the filter needs 17179869048 more bytes, for which this JVM's");
  }

  @Test
  void aFilterThatCannotGrowThrowsAtEachPutAndLosesNothing() throws Exception {
    assertSucceeds(Grower.class, "-XX:+UseSerialGC", "-Xmx16m");
  }

  @Test
  void segmentsThatWereAllocatedBeforeTheHeapWasFullAreFreeAgain() throws Exception {
    assertSucceeds(
        HalfAllocator.class, "-XX:+UseSerialGC", "-Xmx64m", "-Ddev.tamis.segmentShift=12");
  }

  private static void assertSucceeds(Class<?> main, String... options) throws Exception {
    Process process =
        new ProcessBuilder(JvmCommand.of(List.of(options), main)).redirectErrorStream(true).start();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEmpty();
    assertThat(process.waitFor()).isZero();
  }

  /** Asks again and again for a filter that fits into the heap on paper only. */
  static final class HalfAllocator {

    private HalfAllocator() {}

    public static void main(String[] args) {
      long heap = Runtime.getRuntime().maxMemory();
      for (int i = 0; i < 20; i++) {
        try {
          BloomFilter<Long> filter = ofBytes(heap);
          throw new AssertionError("the heap held all of " + filter);
        } catch (IllegalArgumentException e) {
          if (!e.getMessage()
              .contains("more bytes, for which this JVM's heap of at most " + heap)) {
            throw e;
          }
        }
        if (!ofBytes(heap / 2).put(1L)) {
          throw new AssertionError("half of the heap is not free");
        }
      }
    }

    private static BloomFilter<Long> ofBytes(long bytes) {
      return BloomFilter.<Long>builder(KeyHasher.longs())
          .layout(Layout.SPLIT)
          .hashes(8)
          .bits(bytes * 8)
          .build();
    }
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
