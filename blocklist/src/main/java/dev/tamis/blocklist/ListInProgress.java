package dev.tamis.blocklist;

import dev.tamis.filter.FuseFilter;
import dev.tamis.filter.FuseFilterBuilder;
import dev.tamis.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/** One list while its entries come: their hashes. */
final class ListInProgress {

  private static final int ARITY = 4;

  private final String name;
  private final FuseFilterBuilder<CharSequence> keys;
  private KeyForms forms = KeyForms.NONE;

  ListInProgress(String name, KeyHasher<CharSequence> hasher) {
    this.name = name;
    this.keys = FuseFilter.<CharSequence>builder(hasher).arity(ARITY);
  }

  void put(ListEntry entry) {
    forms = forms.and(entry);
    keys.put(entry.text());
  }

  KeyForms forms() {
    return forms;
  }

  /** Builds the filter, with no known errors. */
  ListedKeys build(double fppOfKey) {
    return new ListedKeys(name, forms, keys.fpp(fppOfKey).build(), new long[0], null);
  }

  /** Returns those of {@code candidates} that are the hash of no entry, ascending. */
  long[] unlisted(long[] candidates) {
    long[] sorted = Arrays.stream(candidates).distinct().toArray();
    boolean[] listed = new boolean[sorted.length];
    Arrays.sort(sorted);
    if (sorted.length > 0) {
      keys.forEachHash(
          hash -> {
            int at = Arrays.binarySearch(sorted, hash);
            if (at >= 0) {
              listed[at] = true;
            }
          });
    }
    int count = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (!listed[i]) {
        sorted[count++] = sorted[i];
      }
    }
    return Arrays.copyOf(sorted, count);
  }

  /** Returns the hashes of all entries. */
  ExactHashes exact() {
    long count = keys.distinctKeys();
    List<ByteBuffer> parts = new ArrayList<>();
    for (long left = count; left > 0; left -= ExactHashes.PART_HASHES) {
      int bytes = (int) Math.min(left, ExactHashes.PART_HASHES) * Long.BYTES;
      parts.add(ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN));
    }
    keys.forEachHash(
        new LongConsumer() {
          private long next;

          @Override
          public void accept(long hash) {
            parts.get((int) (next++ / ExactHashes.PART_HASHES)).putLong(hash);
          }
        });
    parts.forEach(ByteBuffer::flip);
    return new ExactHashes(parts, count);
  }
}
