package dev.tamis.internal.hashes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntConsumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartsTest {

  private static final int COUNT = 1_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 8, 2_000})
  void eachPartIsDoneOnceAndInAscendingOrderByEachWorker(int threads) {
    AtomicIntegerArray done = new AtomicIntegerArray(COUNT);
    AtomicIntegerArray descents = new AtomicIntegerArray(1);
    Parts.run(COUNT, threads, () -> new Counting(done, descents));
    for (int part = 0; part < COUNT; part++) {
      assertThat(done.get(part)).isOne();
    }
    assertThat(descents.get(0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void noPartsAreNoWork(int threads) {
    Parts.run(
        0,
        threads,
        () -> {
          throw new AssertionError("no worker is needed");
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void whatAWorkerThrowsComesUnchanged(int threads) {
    IllegalArgumentException thrown = new IllegalArgumentException("the heap is full");
    assertThatThrownBy(
            () ->
                Parts.run(
                    COUNT,
                    threads,
                    () ->
                        part -> {
                          if (part >= 500) {
                            throw thrown;
                          }
                        }))
        .isSameAs(thrown);
  }

  private static final class Counting implements IntConsumer {
    private final AtomicIntegerArray done;
    private final AtomicIntegerArray descents;
    private int last = -1;

    Counting(AtomicIntegerArray done, AtomicIntegerArray descents) {
      this.done = done;
      this.descents = descents;
    }

    @Override
    public void accept(int part) {
      done.incrementAndGet(part);
      descents.addAndGet(0, part <= last ? 1 : 0);
      last = part;
    }
  }
}
