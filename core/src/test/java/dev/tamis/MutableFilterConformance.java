package dev.tamis;

import static dev.tamis.Refusal.refuses;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The promises of every filter that takes keys.
 *
 * <p>A new filter is done when subclasses of the conformance suites, which say only how to build
 * one, are green. A bug that the suites miss is first a bug in the suites.
 */
public abstract class MutableFilterConformance {

  private static final List<Long> EXTREMES =
      List.of(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, -1L << 32);

  /** Returns an empty filter that hashes its keys by {@link KeyHasher#longs}. */
  protected abstract HashedMutableFilter<Long> create(long expectedKeys, double fpp);

  /**
   * Returns the expected keys of a filter that takes {@code puts}, far more than {@code
   * expectedKeys}. One that throws when it is full returns more room here, and has a test of its
   * own for what it promises then.
   */
  protected long roomFor(long puts, long expectedKeys) {
    return expectedKeys;
  }

  /** The most keys that a test puts; fewer for a filter that is a journey away. */
  protected int mostKeys() {
    return 100_000;
  }

  /** Returns the expected wrong drops; computed elsewhere for a filter that does not know them. */
  protected double expectedWrongDrops(HashedMutableFilter<Long> filter) {
    return ((DropAware) filter).expectedWrongDrops();
  }

  /** Returns an object that is equal if two filters hold the same; the bytes, for a remote one. */
  protected Object contents(HashedMutableFilter<Long> filter) {
    return filter;
  }

  /** Returns the bytes of the filter's file, or where it is stored if it has none. */
  protected long serializedSize(HashedMutableFilter<Long> filter) {
    return ((Storable) filter).serializedSize();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 63, 64, 65, 1_000, 100_000})
  void neverDeniesAKeyItHolds(int most) {
    int keys = Math.min(most, mostKeys());
    for (double fpp : new double[] {0.3, 0.01, 1e-6}) {
      HashedMutableFilter<Long> filter = create(keys, fpp);
      Keys.hashes(1, keys).forEach(filter::putHash);
      assertThat(Keys.hashes(1, keys).allMatch(filter::mightContainHash)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void neverDeniesAKeyHoweverAlikeTheKeysAre(Keys.Kind kind) {
    int keys = Math.min(10_000, mostKeys());
    HashedMutableFilter<Long> filter = create(keys, 0.01);
    kind.hashes(filter, 0, keys).forEach(filter::putHash);
    assertThat(kind.hashes(filter, 0, keys).allMatch(filter::mightContainHash)).isTrue();
  }

  @Test
  void neverDeniesAKeyWhenFarOverfull() {
    int keys = Math.min(10_000, mostKeys());
    HashedMutableFilter<Long> filter = create(roomFor(keys, 100), 0.01);
    Keys.hashes(2, keys).forEach(filter::putHash);
    assertThat(Keys.hashes(2, keys).allMatch(filter::mightContainHash)).isTrue();
  }

  @Test
  void takesTheExtremesOfKeysAndHashes() {
    HashedMutableFilter<Long> filter = create(100, 0.001);
    for (long extreme : EXTREMES) {
      filter.put(extreme);
      filter.putHash(extreme);
    }
    assertThat(EXTREMES).allMatch(filter::mightContain).allMatch(filter::mightContainHash);
  }

  @Test
  void putIsTrueOnceForEachKey() {
    HashedMutableFilter<Long> filter = create(1_000, 0.01);
    assertThat(filter.put(42L)).isTrue();
    assertThat(filter.put(42L)).isFalse();
    assertThat(filter.put(43L)).isTrue();
    assertThat(filter.put(42L)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 10_000})
  void putIsTrueIfTheKeyWasDeniedBefore(int expectedKeys) {
    HashedMutableFilter<Long> filter = create(roomFor(40_000, expectedKeys), 0.1);
    Keys.hashes(3, Math.min(20_000, mostKeys()))
        .forEach(
            hash -> {
              boolean seen = filter.mightContainHash(hash);
              assertThat(filter.putHash(hash)).isEqualTo(!seen);
              assertThat(filter.putHash(hash)).isFalse();
            });
  }

  @Test
  void emptyHoldsNothing() {
    HashedMutableFilter<Long> filter = create(1_000, 0.01);
    assertThat(Keys.hashes(4, Math.min(10_000, mostKeys())).noneMatch(filter::mightContainHash))
        .isTrue();
    assertThat(EXTREMES).noneMatch(filter::mightContain).noneMatch(filter::mightContainHash);
    assertThat(filter.expectedFpp()).isZero();
    assertThat(filter.acceptedKeys()).isZero();
    assertThat(expectedWrongDrops(filter)).isZero();
    assertThat(filter.approximateElementCount()).isEqualTo(new Estimate(0, 0, 0));
  }

  @Test
  void aLookupChangesNothing() {
    HashedMutableFilter<Long> filter = create(1_000, 0.1);
    Keys.hashes(5, Math.min(10_000, mostKeys())).forEach(filter::mightContainHash);
    assertThat(filter.acceptedKeys()).isZero();
    assertThat(filter.expectedFpp()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 1_000})
  void bulkPutsEqualSinglePuts(int count) {
    HashedMutableFilter<Long> together = create(roomFor(10_000, 100), 0.1);
    HashedMutableFilter<Long> single = create(roomFor(10_000, 100), 0.1);
    for (long seed = 0; seed < 10; seed++) {
      long[] hashes = Keys.hashes(seed % 7, count).map(hash -> hash % 3 == 0 ? 3 : hash).toArray();
      boolean[] isNew = new boolean[count + 1];
      isNew[count] = true;

      together.putHashes(hashes, count, isNew);

      for (int i = 0; i < count; i++) {
        assertThat(isNew[i]).isEqualTo(single.putHash(hashes[i]));
      }
      assertThat(isNew[count]).isTrue();
    }
    assertThat(contents(together)).isEqualTo(contents(single));
    assertThat(together.acceptedKeys()).isEqualTo(single.acceptedKeys());
  }

  @Test
  void bulkLookupsEqualSingleLookups() {
    HashedMutableFilter<Long> filter = create(roomFor(1_000, 1_000), 0.1);
    assertThat(filter.putAll(LongStream.range(0, 1_000).boxed().toList())).contains(true);
    BulkLookUps.check(filter, 500, 2_000);
  }

  @Test
  void puttingACollectionIsPuttingItsKeysInOrder() {
    HashedMutableFilter<Long> together = create(1_000, 0.1);
    HashedMutableFilter<Long> single = create(1_000, 0.1);
    List<Long> keys = List.of(1L, 2L, 1L, 3L, 2L, 4L);
    boolean[] isNew = together.putAll(keys);
    for (int i = 0; i < keys.size(); i++) {
      assertThat(isNew[i]).isEqualTo(single.put(keys.get(i)));
    }
    assertThat(together.putAll(List.of())).isEmpty();
    assertThat(contents(together)).isEqualTo(contents(single));
  }

  @Test
  void aCollectionWithANullPutsNothing() {
    HashedMutableFilter<Long> filter = create(1_000, 0.1);
    refuses(NullPointerException.class, () -> filter.putAll(Arrays.asList(1L, null)));
    assertThat(filter.acceptedKeys()).isZero();
  }

  @Test
  void refusesToPutMoreAtOnceThanThereAre() {
    HashedMutableFilter<Long> filter = create(100, 0.1);
    refuses(
        IndexOutOfBoundsException.class, () -> filter.putHashes(new long[2], 3, new boolean[3]));
    refuses(
        IndexOutOfBoundsException.class, () -> filter.putHashes(new long[3], 3, new boolean[2]));
    assertThat(filter.acceptedKeys()).isZero();
  }

  @Test
  void keysAndTheirHashesAreInterchangeable() {
    HashedMutableFilter<Long> byKey = create(roomFor(500, 1_000), 0.1);
    HashedMutableFilter<Long> byHash = create(roomFor(500, 1_000), 0.1);
    for (long key = 0; key < 500; key++) {
      assertThat(byHash.putHash(byHash.hashOf(key))).isEqualTo(byKey.put(key));
      assertThat(byKey.mightContainHash(byKey.hashOf(key))).isTrue();
      assertThat(byHash.mightContain(key)).isTrue();
    }
    for (long key = 500; key < 2_000; key++) {
      boolean answer = byKey.mightContain(key);
      assertThat(byKey.mightContainHash(byKey.hashOf(key))).isEqualTo(answer);
      assertThat(byHash.mightContain(key)).isEqualTo(answer);
    }
  }

  @Test
  void equalFiltersHashAlike() {
    HashedMutableFilter<Long> one = create(1_000, 0.1);
    HashedMutableFilter<Long> other = create(1_000, 0.1);
    assertThat(EXTREMES).allMatch(key -> one.hashOf(key) == other.hashOf(key));
  }

  @Test
  void acceptedKeysAreThePutsThatWereTrue() {
    HashedMutableFilter<Long> filter = create(roomFor(6_000, 1_000), 0.1);
    long taken = Keys.hashes(6, 3_000).filter(filter::putHash).count();
    taken += Keys.hashes(6, 3_000).filter(filter::putHash).count(); // all of them known
    assertThat(filter.acceptedKeys()).isEqualTo(taken).isBetween(1_000L, 3_000L);
  }

  @Test
  void theBytesHoldTheBits() {
    HashedMutableFilter<Long> filter = create(1_000, 0.01);
    assertThat(filter.bitSize()).isPositive();
    assertThat(serializedSize(filter)).isGreaterThanOrEqualTo(filter.bitSize() / Byte.SIZE);
  }

  @Test
  void nullIsRefused() {
    HashedMutableFilter<Long> filter = create(1, 0.01);
    refuses(NullPointerException.class, () -> filter.put(null));
    refuses(NullPointerException.class, () -> filter.mightContain(null));
    refuses(NullPointerException.class, () -> filter.hashOf(null));
    assertThat(filter.acceptedKeys()).isZero();
  }

  @Test
  void printsWhatItIs() {
    assertThat(create(1_000, 0.01).toString()).contains("Filter").doesNotContain("@");
  }
}
