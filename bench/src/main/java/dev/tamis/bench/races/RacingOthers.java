package dev.tamis.bench.races;

import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.util.Arrays;
import java.util.SplittableRandom;

/** Makes the small windowed and cuckoo filters that the races are run on. */
final class RacingOthers {

  private static final int WINDOW = 4;
  private static final int CUCKOO_KEYS = 20;
  private static final int MIN_MOVED_BYTES = 5;

  /** Its generation has ended, so the next put rotates; {@link Racing#EARLIER} is put last. */
  private static final WindowedBloomFilter<Long> ENDED = ended();

  /** A put of {@link #MOVING} moves some of the keys that are in it. */
  private static final CuckooFilter<Long> FULL = full();

  /** The hash of a key for which others have to move. */
  static final long MOVING = moving();

  private RacingOthers() {}

  /** Returns a window that the next put rotates, with {@link Racing#EARLIER} in it. */
  static WindowedBloomFilter<Long> rotating() {
    return ENDED.copy();
  }

  /** Returns a cuckoo filter in which a put of {@link #MOVING} moves other keys. */
  static CuckooFilter<Long> nearlyFull() {
    return FULL.copy();
  }

  /** Returns whether all keys are in that {@link #nearlyFull} begins with. */
  static boolean holdsAll(CuckooFilter<Long> filter) {
    SplittableRandom random = new SplittableRandom(1);
    boolean all = true;
    for (int i = 0; i < CUCKOO_KEYS; i++) {
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

  private static CuckooFilter<Long> full() {
    CuckooFilter<Long> filter = CuckooFilter.create(KeyHasher.longs(), CUCKOO_KEYS, 1e-4);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < CUCKOO_KEYS; i++) {
      boolean unused = filter.putHash(random.nextLong());
    }
    return filter;
  }

  /** A put that moves nothing changes one slot of 17 bits, and the checksum. */
  private static long moving() {
    SplittableRandom random = new SplittableRandom(2);
    while (true) {
      long hash = random.nextLong();
      CuckooFilter<Long> filter = FULL.copy();
      byte[] before = payload(filter);
      boolean unused = filter.putHash(hash);
      byte[] after = payload(filter);
      int changed = 0;
      for (int i = 0; i < before.length; i++) {
        changed += before[i] == after[i] ? 0 : 1;
      }
      if (changed >= MIN_MOVED_BYTES) {
        return hash;
      }
    }
  }

  private static byte[] payload(CuckooFilter<Long> filter) {
    byte[] bytes = filter.toByteArray();
    return Arrays.copyOf(bytes, bytes.length - Integer.BYTES);
  }
}
