package dev.tamis.sketch;

import dev.tamis.sketch.HeavyHitters.HeavyHitter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A bounded min-heap of keys by count, with a hash index. */
final class KeptKeys<T> {

  /** A key, which may be raised in place. */
  static final class Entry<T> {
    final long hash;
    final T key;
    private long count;
    private final long error;
    private int at;

    Entry(long hash, T key, long count, long error) {
      this.hash = hash;
      this.key = key;
      this.count = count;
      this.error = error;
    }

    long count() {
      return count;
    }

    long error() {
      return error;
    }

    HeavyHitter<T> toHeavyHitter() {
      return new HeavyHitter<>(key, count, error);
    }
  }

  /** Slots for a key, so that a search ends soon. */
  private static final int SLOTS_PER_KEY = 4;

  private final int capacity;
  private final List<Entry<T>> heap = new ArrayList<>();
  private final @Nullable Entry<?>[] slots;

  KeptKeys(int capacity) {
    this.capacity = capacity;
    this.slots = new Entry<?>[Integer.highestOneBit(capacity) * SLOTS_PER_KEY];
  }

  int capacity() {
    return capacity;
  }

  boolean isFull() {
    return heap.size() == capacity;
  }

  long leastCount() {
    return heap.get(0).count;
  }

  List<Entry<T>> entries() {
    return heap;
  }

  /** Returns the key with that hash, or null. */
  @SuppressWarnings("unchecked") // only add puts entries there
  @Nullable Entry<T> find(long hash) {
    for (int slot = home(hash); ; slot = next(slot)) {
      Entry<?> entry = slots[slot];
      if (entry == null || entry.hash == hash) {
        return (Entry<T>) entry;
      }
    }
  }

  /** Adds a key that is not here; there must be room. */
  void add(Entry<T> entry) {
    int slot = home(entry.hash);
    while (slots[slot] != null) {
      slot = next(slot);
    }
    slots[slot] = entry;
    entry.at = heap.size();
    heap.add(entry);
    siftUp(entry);
  }

  void raise(Entry<T> entry, long count) {
    entry.count = count;
    siftDown(entry);
  }

  /** Removes a key with the least count; there must be one. */
  void removeLeast() {
    Entry<T> least = heap.get(0);
    Entry<T> last = heap.remove(heap.size() - 1);
    if (last != least) {
      place(last, 0);
      siftDown(last);
    }
    emptySlot(least.hash);
  }

  void clear() {
    heap.clear();
    Arrays.fill(slots, null);
  }

  private void siftUp(Entry<T> entry) {
    int at = entry.at;
    while (at > 0) {
      Entry<T> parent = heap.get((at - 1) / 2);
      if (parent.count <= entry.count) {
        break;
      }
      int free = parent.at;
      place(parent, at);
      at = free;
    }
    place(entry, at);
  }

  private void siftDown(Entry<T> entry) {
    int at = entry.at;
    for (int child = 2 * at + 1; child < heap.size(); child = 2 * at + 1) {
      if (child + 1 < heap.size() && heap.get(child + 1).count < heap.get(child).count) {
        child++;
      }
      Entry<T> lesser = heap.get(child);
      if (entry.count <= lesser.count) {
        break;
      }
      place(lesser, at);
      at = child;
    }
    place(entry, at);
  }

  private void place(Entry<T> entry, int at) {
    heap.set(at, entry);
    entry.at = at;
  }

  /** Empties the slot of a key and closes the gap for linear probing. */
  private void emptySlot(long hash) {
    int gap = home(hash);
    while (hashIn(gap) != hash) {
      gap = next(gap);
    }
    for (int slot = next(gap); slots[slot] != null; slot = next(slot)) {
      int distance = (slot - home(hashIn(slot))) & (slots.length - 1);
      if (distance >= ((slot - gap) & (slots.length - 1))) {
        slots[gap] = slots[slot];
        gap = slot;
      }
    }
    slots[gap] = null;
  }

  private long hashIn(int slot) {
    Entry<?> entry = slots[slot];
    if (entry == null) {
      throw new IllegalStateException("a key in the heap is not in the table");
    }
    return entry.hash;
  }

  private int home(long hash) {
    return (int) (hash >>> Integer.SIZE) & (slots.length - 1);
  }

  private int next(int slot) {
    return (slot + 1) & (slots.length - 1);
  }
}
