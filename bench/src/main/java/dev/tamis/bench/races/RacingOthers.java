package dev.tamis.bench.races;

import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/** Makes the small windowed and cuckoo filters that the races are run on. */
final class RacingOthers {

  private static final int WINDOW = 4;
  private static final int CUCKOO_KEYS = 20;
  private static final int MAX_CUCKOO_KEYS = 1_000;
  private static final long SEED = 1;
  private static final int MIN_MOVED_BYTES = 5;

  /** Its generation has ended, so the next put rotates; {@link Racing#EARLIER} is put last. */
  private static final WindowedBloomFilter<Long> ENDED = ended();

  private static final CrowdedFilter CROWDED = crowded();

  /** The hash of a key for which others have to move. */
  static final long MOVING = CROWDED.moving;

  private RacingOthers() {}

  /** Returns a window that the next put rotates, with {@link Racing#EARLIER} in it. */
  static WindowedBloomFilter<Long> rotating() {
    return ENDED.copy();
  }

  /** Returns a cuckoo filter in which a put of {@link #MOVING} moves other keys. */
  static CuckooFilter<Long> nearlyFull() {
    return CROWDED.filter.copy();
  }

  /** Returns a filter of any kind; some put of {@link #MOVING} in it moves keys or grows it. */
  static HashedMutableFilter<Long> ofAnyKind() {
    return switch (ThreadLocalRandom.current().nextInt(3)) {
      case 0 -> plainCountingOrWindowed();
      case 1 -> Racing.growing();
      default -> nearlyFull();
    };
  }

  static HashedMutableFilter<Long> plainCountingOrWindowed() {
    return switch (ThreadLocalRandom.current().nextInt(3)) {
      case 0 -> Racing.filter();
      case 1 -> Racing.counting();
      default -> rotating();
    };
  }

  /** Returns a filter with {@link Racing#EARLIER} in it, which may have to grow. */
  static HashedMutableFilter<Long> plainOrGrowing() {
    return ThreadLocalRandom.current().nextBoolean()
        ? Racing.filter(Racing.EARLIER)
        : Racing.growing();
  }

  /** Returns whether all keys are in that {@link #nearlyFull} begins with. */
  static boolean holdsAll(CuckooFilter<Long> filter) {
    SplittableRandom random = new SplittableRandom(SEED);
    boolean all = true;
    for (int i = 0; i < CROWDED.keys; i++) {
      all &= filter.mightContainHash(random.nextLong());
    }
    return all;
  }

  private static WindowedBloomFilter<Long> ended() {
    WindowedBloomFilter<Long> filter =
        WindowedBloomFilter.<Long>builder(KeyHasher.longs()).window(WINDOW).fpp(1e-6).build();
    long puts = 10 * filter.sizing().generationKeys();
    for (long i = 1; i < puts; i++) {
      boolean unused = filter.putHash(Racing.SECOND);
    }
    boolean unused = filter.putHash(Racing.EARLIER);
    return filter;
  }

  /** Puts key after key until one moves others; there the race begins. */
  private static CrowdedFilter crowded() {
    CuckooFilter<Long> filter = CuckooFilter.create(KeyHasher.longs(), CUCKOO_KEYS, 1e-4);
    SplittableRandom random = new SplittableRandom(SEED);
    for (int keys = 0; keys < MAX_CUCKOO_KEYS; keys++) {
      CuckooFilter<Long> before = filter.copy();
      long hash = random.nextLong();
      boolean unused = filter.putHash(hash);
      if (changedBytes(before, filter) >= MIN_MOVED_BYTES) {
        return new CrowdedFilter(before, keys, hash);
      }
    }
    throw new IllegalStateException("no key of " + MAX_CUCKOO_KEYS + " moved another");
  }

  /** A put that moves nothing changes one slot of 17 bits, and the checksum. */
  private static int changedBytes(CuckooFilter<Long> filter, CuckooFilter<Long> other) {
    byte[] before = payload(filter);
    byte[] after = payload(other);
    int changed = 0;
    for (int i = 0; i < before.length; i++) {
      changed += before[i] == after[i] ? 0 : 1;
    }
    return changed;
  }

  private static byte[] payload(CuckooFilter<Long> filter) {
    byte[] bytes = filter.toByteArray();
    return Arrays.copyOf(bytes, bytes.length - Integer.BYTES);
  }

  /**
   * A filter with {@code keys} keys, in which a put of the hash {@code moving} moves some of them.
   */
  private record CrowdedFilter(CuckooFilter<Long> filter, int keys, long moving) {}
}
