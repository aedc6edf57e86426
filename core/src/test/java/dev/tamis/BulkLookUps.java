package dev.tamis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;

/** The contract of bulk queries: the same answers as single ones. */
final class BulkLookUps {

  private static final int[] COUNTS = {0, 1, 31, 32, 33, 64, 1_000};

  private BulkLookUps() {}

  /** Looks up the keys {@code from} to {@code to} of a filter that holds some of them. */
  static void check(HashedFilter<Long> filter, long from, long to) {
    List<Long> keys = LongStream.range(from, to).boxed().toList();
    long[] hashes = keys.stream().mapToLong(filter::hashOf).toArray();
    boolean[] expected = new boolean[hashes.length];
    for (int i = 0; i < hashes.length; i++) {
      expected[i] = filter.mightContainHash(hashes[i]);
    }
    for (int count : COUNTS) {
      int asked = Math.min(count, hashes.length);
      boolean[] answers = new boolean[asked + 1];
      answers[asked] = true;
      filter.mightContainHashes(hashes, asked, answers);
      assertThat(Arrays.copyOf(answers, asked)).isEqualTo(Arrays.copyOf(expected, asked));
      assertThat(answers[asked]).isTrue();
    }
    assertThat(filter.mightContainAll(keys)).isEqualTo(expected);
    assertThat(filter.mightContainAll(List.of())).isEmpty();
    refusesWhatIsNotThere(filter);
  }

  private static void refusesWhatIsNotThere(HashedFilter<Long> filter) {
    refuses(
        IndexOutOfBoundsException.class,
        () -> filter.mightContainHashes(new long[2], 3, new boolean[3]));
    refuses(
        IndexOutOfBoundsException.class,
        () -> filter.mightContainHashes(new long[3], 3, new boolean[2]));
    refuses(
        IndexOutOfBoundsException.class,
        () -> filter.mightContainHashes(new long[3], -1, new boolean[3]));
    List<Long> withNull = new ArrayList<>(Collections.singletonList(null));
    refuses(NullPointerException.class, () -> filter.mightContainAll(withNull));
  }
}
