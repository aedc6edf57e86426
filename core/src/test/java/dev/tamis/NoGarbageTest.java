package dev.tamis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.RibbonFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Nothing is allocated for a key that is hashed, put or queried. */
class NoGarbageTest {

  private static final int CALLS = 100_000;
  private static final List<HashFunction> FUNCTIONS =
      List.of(HashFunction.xxh3(42), HashFunction.sipHash(HashKey.of(new byte[HashKey.BYTES])));
  private static final String URL = "https://example.org/catalogue/items?page=1000&order=newest";

  @ParameterizedTest
  @EnumSource
  void textOfEveryScriptIsHashedWithoutGarbage(Script script) throws JMException {
    for (HashFunction function : FUNCTIONS) {
      for (int length : new int[] {0, 3, 16, 17, 100, 241, 300, 4_096}) {
        String text = script.text(length);
        assertLeavesNoGarbage(CALLS / (length + 1), () -> function.hashText(text));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("buffers")
  void buffersOfEveryKindAreHashedWithoutGarbage(ByteBuffer buffer) throws JMException {
    for (HashFunction function : FUNCTIONS) {
      assertLeavesNoGarbage(CALLS, () -> function.hashBuffer(buffer));
    }
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aFilterIsAskedWithoutGarbage(HashedFilter<CharSequence> filter) throws JMException {
    assertLeavesNoGarbage(CALLS, () -> filter.mightContain(URL) ? 1 : 0);
    assertLeavesNoGarbage(CALLS, () -> filter.mightContainHash(filter.hashOf("other")) ? 1 : 0);
  }

  @ParameterizedTest
  @MethodSource("mutableFilters")
  void aFilterIsFilledWithoutGarbage(HashedMutableFilter<CharSequence> filter) throws JMException {
    assertLeavesNoGarbage(CALLS, () -> filter.put(URL) ? 1 : 0);
    long[] hash = {1};
    assertLeavesNoGarbage(
        1_000, () -> filter.putHash(hash[0] += 0x9E3779B97F4A7C15L) ? 1 : 0); // new each time
  }

  static Stream<ByteBuffer> buffers() {
    byte[] bytes = URL.getBytes(UTF_8);
    ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    ByteBuffer heap = ByteBuffer.wrap(bytes);
    return Stream.of(heap, heap.asReadOnlyBuffer(), direct, direct.asReadOnlyBuffer());
  }

  static Stream<HashedFilter<CharSequence>> filters() {
    KeyHasher<CharSequence> text = KeyHasher.text();
    return Stream.concat(
        mutableFilters(),
        Stream.of(
            FuseFilter.<CharSequence>builder(text).fpp(0.01).putAll(List.of(URL)).build(),
            RibbonFilter.<CharSequence>builder(text).fpp(0.01).putAll(List.of(URL)).build()));
  }

  static Stream<HashedMutableFilter<CharSequence>> mutableFilters() {
    KeyHasher<CharSequence> text = KeyHasher.text();
    int keys = 1_000_000;
    Stream<HashedMutableFilter<CharSequence>> layouts =
        Arrays.stream(Layout.values())
            .flatMap(
                layout -> {
                  var builder =
                      BloomFilter.<CharSequence>builder(text)
                          .expectedKeys(keys)
                          .fpp(0.01)
                          .layout(layout);
                  return Stream.of(builder.build(), builder.singleThreaded().build());
                });
    return Stream.concat(
        layouts,
        Stream.of(
            CountingBloomFilter.create(text, keys, 0.01),
            ScalableBloomFilter.create(text, keys, 0.01),
            CuckooFilter.create(text, keys, 0.01),
            WindowedBloomFilter.<CharSequence>builder(text).window(keys).fpp(0.01).build()));
  }

  private static void assertLeavesNoGarbage(int calls, Call call) throws JMException {
    // estimating the count allocates a few thousand bytes itself; an object a call is 16 a call
    long most = Math.max(calls, 10_000);
    long garbage = Long.MAX_VALUE;
    // the first ones warm up; more of them where a busy machine delays the compiler's own thread
    for (int round = 0; round < 20 ? garbage > calls : round < 1_000 && garbage >= most; round++) {
      long before = allocatedBytes();
      long sum = 0;
      for (int i = 0; i < calls; i++) {
        sum += call.call();
      }
      garbage = allocatedBytes() - before - (sum == Long.MIN_VALUE ? 1 : 0);
    }
    assertThat(garbage).isLessThan(most);
  }

  /** Asks by name, because the type that has the method is not part of Java SE. */
  private static long allocatedBytes() throws JMException {
    return (long)
        ManagementFactory.getPlatformMBeanServer()
            .invoke(
                new ObjectName(ManagementFactory.THREAD_MXBEAN_NAME),
                "getThreadAllocatedBytes",
                new Object[] {Thread.currentThread().getId()},
                new String[] {"long"});
  }

  private interface Call {
    long call();
  }
}
