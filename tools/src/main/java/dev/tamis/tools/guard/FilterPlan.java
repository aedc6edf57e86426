package dev.tamis.tools.guard;

import dev.tamis.file.FilterFile;
import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.FppText;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/**
 * The parameters of a guard's filters.
 *
 * @param hasher hashes keys under a secret key
 * @param removable whether keys can leave the filter
 */
record FilterPlan<K>(
    KeyHasher<? super K> hasher, long expectedKeys, double fpp, boolean removable) {

  /** Returns an empty filter for the expected keys, or for {@code keys} if those are more. */
  GuardFilter<K> create(long keys) {
    long room = Math.max(expectedKeys, keys);
    if (removable) {
      CountingBloomFilter<K> filter =
          CountingBloomFilter.<K>builder(hasher).expectedKeys(room).fpp(fpp).build();
      return new GuardFilter<>(filter, room);
    }
    ScalableBloomFilter<K> filter =
        ScalableBloomFilter.<K>builder(hasher).initialKeys(room).fpp(fpp).build();
    return new GuardFilter<>(filter, Long.MAX_VALUE);
  }

  /** Reads a filter, which must have been built with these parameters. */
  GuardFilter<K> load(Path path) throws IOException {
    Kind kind = FileHeader.read(path).kind();
    Kind wanted = removable ? Kind.COUNTING_BLOOM : Kind.SCALABLE_BLOOM;
    if (kind != wanted) {
      throw new FileSystemException(
          path.toString(), null, "holds: " + kind.label() + ", wanted is: " + wanted.label());
    }
    if (removable) {
      CountingBloomFilter<K> filter = FilterFile.<K>loadCounting(path, hasher);
      check(path, filter.hashId(), filter.fpp());
      if (filter.expectedKeys() < expectedKeys) {
        throw new FileSystemException(
            path.toString(),
            null,
            "was made for " + filter.expectedKeys() + " keys, wanted are " + expectedKeys);
      }
      return new GuardFilter<>(filter, filter.expectedKeys());
    }
    ScalableBloomFilter<K> filter = FilterFile.<K>loadScalable(path, hasher);
    check(path, filter.hashId(), filter.fpp());
    return new GuardFilter<>(filter, Long.MAX_VALUE);
  }

  private void check(Path path, HashId hashId, double itsFpp) throws IOException {
    HashId wanted = BoundHasher.of(hasher, 0).id();
    String difference = hashId.difference(wanted).orElse("");
    if (difference.isEmpty() && itsFpp != fpp) {
      difference =
          "it was made for an fpp of "
              + FppText.exact(itsFpp)
              + ", wanted is "
              + FppText.exact(fpp);
    }
    if (!difference.isEmpty()) {
      throw new FileSystemException(path.toString(), null, difference);
    }
  }
}
