package dev.tamis.filter;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.FilterFullException;
import dev.tamis.HashedMutableFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts by owners are those of one thread, whatever the order that the steps happen to have. */
@Timeout(60)
class ParallelPutsTest {

  private static final int KEYS = 30_000;

  /** The distinct lines drawn from: half are repeats, many of them within a batch. */
  private static final int DISTINCT = 15_000;

  private record Spec(String name, Supplier<HashedMutableFilter<Long>> empty) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Spec> specs() {
    List<Spec> specs = new ArrayList<>();
    for (Layout layout : Layout.values()) {
      for (double fpp : new double[] {0.1, 1e-3}) {
        specs.add(
            new Spec(
                layout + " at " + fpp,
                () ->
                    BloomFilter.<Long>builder(KeyHasher.longs())
                        .layout(layout)
                        .hashes(Math.max(layout.minHashes(), 8))
                        .bits((fpp > 0.01 ? 4L : 16L) * DISTINCT)
                        .expectedKeys(DISTINCT)
                        .build()));
        specs.add(
            new Spec(
                "growing, " + layout + " at " + fpp,
                () ->
                    ScalableBloomFilter.<Long>builder(KeyHasher.longs())
                        .initialKeys(500)
                        .fpp(fpp)
                        .layout(layout)
                        .build()));
      }
    }
    specs.add(
        new Spec(
            "of one thread",
            () ->
                BloomFilter.<Long>builder(KeyHasher.longs())
                    .expectedKeys(DISTINCT)
                    .fpp(0.02)
                    .singleThreaded()
                    .build()));
    specs.add(
        new Spec(
            "of counters", () -> CountingBloomFilter.create(KeyHasher.longs(), DISTINCT, 0.02)));
    return specs.stream();
  }

  @ParameterizedTest
  @MethodSource("specs")
  void answersAndBitsAreThoseOfOneThread(Spec spec) {
    long[] hashes = hashes();
    HashedMutableFilter<Long> alone = spec.empty().get();
    boolean[] expected = new boolean[KEYS];
    alone.putHashes(hashes, KEYS, expected);
    for (int owners : new int[] {1, 2, 3, 8, 16}) {
      HashedMutableFilter<Long> filter = spec.empty().get();
      boolean[] answers = new Steps(ParallelPuts.into(filter, owners), hashes, owners).run();
      assertThat(answers).isEqualTo(expected);
      assertThat(filter).isEqualTo(alone);
      assertThat(filter.acceptedKeys()).isEqualTo(alone.acceptedKeys());
      if (filter instanceof BloomFilter<Long> bloom) {
        assertThat(bloom.expectedWrongDrops())
            .isEqualTo(((BloomFilter<Long>) alone).expectedWrongDrops());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 8})
  void moreOwnersThanLinesIsNoHarm(int lines) {
    long[] hashes = hashes();
    BloomFilter<Long> alone = lines(lines);
    BloomFilter<Long> filter = lines(lines);
    boolean[] expected = new boolean[KEYS];
    alone.putHashes(hashes, KEYS, expected);
    assertThat(new Steps(ParallelPuts.into(filter, 16), hashes, 5).run()).isEqualTo(expected);
    assertThat(filter).isEqualTo(alone);
  }

  private static BloomFilter<Long> lines(int lines) {
    return BloomFilter.<Long>builder(KeyHasher.longs())
        .layout(Layout.SPLIT)
        .bits(512L * lines)
        .hashes(8)
        .build();
  }

  @Test
  void aFullFilterThrowsWhereItWouldForOneThread() {
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(100)
            .fpp(0.01)
            .refuseWhenFull()
            .build();
    ParallelPuts puts = ParallelPuts.into(filter, 2);
    ParallelPuts.Batch batch = puts.newBatch();
    batch.prepare(new SplittableRandom(1).longs(200).toArray(), 200);
    refuses(FilterFullException.class, batch::admit);
    assertThat(filter.acceptedKeys()).isEqualTo(100);
  }

  @Test
  void anActionRunsAtItsKey() {
    AtomicInteger ran = new AtomicInteger();
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(1000)
            .fpp(0.01)
            .whenKeysReach(100, ran::incrementAndGet)
            .build();
    boolean[] unused = new Steps(ParallelPuts.into(filter, 2), hashes(), 6).run();
    assertThat(ran).hasValue(1);
  }

  @Test
  void nobodyOwnsNothing() {
    BloomFilter<Long> filter = lines(1);
    refuses(() -> ParallelPuts.into(filter, 0), "owners");
    ParallelPuts.Batch batch = ParallelPuts.into(filter, 1).newBatch();
    refuses(IndexOutOfBoundsException.class, () -> batch.prepare(new long[1], 2));
    batch.prepare(new long[1], 1);
    refuses(IndexOutOfBoundsException.class, () -> batch.put(1));
  }

  private static long[] hashes() {
    long[] distinct = new SplittableRandom(1).longs(DISTINCT).toArray();
    return new SplittableRandom(2).ints(KEYS, 0, DISTINCT).mapToLong(i -> distinct[i]).toArray();
  }

  /** Takes steps in a random order among those that are allowed. */
  private static final class Steps {
    private static final int AHEAD = 5;

    private final ParallelPuts puts;
    private final long[] hashes;
    private final SplittableRandom random;
    private final List<long[]> parts = new ArrayList<>();
    private final List<ParallelPuts.Batch> batches = new ArrayList<>();
    private final boolean[] prepared;
    private final boolean[] finished;
    private final int[] put;
    private int admitted;
    private int unfinished;

    Steps(ParallelPuts puts, long[] hashes, long seed) {
      this.puts = puts;
      this.hashes = hashes;
      this.random = new SplittableRandom(seed);
      for (int from = 0; from < hashes.length; ) {
        int to = Math.min(hashes.length, from + random.nextInt(700)); // none at all now and then
        parts.add(Arrays.copyOfRange(hashes, from, to));
        batches.add(puts.newBatch());
        from = to;
      }
      prepared = new boolean[parts.size()];
      finished = new boolean[parts.size()];
      put = new int[puts.owners()];
    }

    boolean[] run() {
      for (int done = 0; done < parts.size(); ) {
        done += step() ? 1 : 0;
      }
      boolean[] answers = new boolean[hashes.length];
      int at = 0;
      for (int i = 0; i < parts.size(); i++) {
        System.arraycopy(batches.get(i).isNew(), 0, answers, at, parts.get(i).length);
        at += parts.get(i).length;
      }
      return answers;
    }

    private boolean step() {
      int choice = random.nextInt(3 + puts.owners());
      if (choice == 0) {
        int next = admitted + random.nextInt(AHEAD);
        if (next < parts.size() && !prepared[next]) {
          batches.get(next).prepare(parts.get(next), parts.get(next).length);
          prepared[next] = true;
        }
      } else if (choice == 1) {
        if (admitted < parts.size() && prepared[admitted] && batches.get(admitted).admit()) {
          admitted++;
        }
      } else if (choice == 2) {
        while (unfinished < parts.size() && finished[unfinished]) {
          unfinished++;
        }
        int next = unfinished + random.nextInt(AHEAD);
        if (next < Arrays.stream(put).min().orElseThrow() && !finished[next]) {
          int unused = batches.get(next).finish();
          finished[next] = true;
          return true;
        }
      } else if (put[choice - 3] < admitted) {
        batches.get(put[choice - 3]).put(choice - 3);
        put[choice - 3]++;
      }
      return false;
    }
  }
}
