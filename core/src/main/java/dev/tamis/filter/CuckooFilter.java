package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Confidence;
import dev.tamis.DropAware;
import dev.tamis.Estimate;
import dev.tamis.FilterFullException;
import dev.tamis.RemovableFilter;
import dev.tamis.Sized;
import dev.tamis.Storable;
import dev.tamis.Traits;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.PackedSlots;
import dev.tamis.internal.cuckoo.CuckooTable;
import dev.tamis.internal.hashes.HashCollisions;
import dev.tamis.sizing.CuckooSizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A cuckoo filter: a fingerprint of each key in one of two buckets, where others make room for it.
 * Thread-safe.
 *
 * <p>Choose it when keys must leave again and memory counts: at 1 % it takes 10.5 bits a key, a
 * quarter of what a counting Bloom filter takes. When keys only arrive, a {@link BloomFilter} is
 * faster to fill and never full.
 *
 * <pre>{@code
 * CuckooFilter<String> open = CuckooFilter.create(KeyHasher.text(), 1_000_000, 0.01);
 * open.put(session);
 * open.remove(session); // only what was put
 * }</pre>
 *
 * <p><b>It can be full.</b> Built for n keys it takes n distinct keys, and mostly 2 % more; after
 * that {@link #put} throws {@link FilterFullException}, and nothing is lost.
 *
 * <p><b>It is for keys that are put once, or few times.</b> Every put takes a slot, and all copies
 * of a key share two buckets of four slots, so the table fills unevenly: with every key put twice
 * the filter is full when 89 % of its slots are taken, put three times 70 %, four times 50 %, five
 * times 7 %. Where keys are put often, choose a {@link CountingBloomFilter}.
 *
 * <p>The eighth put of a key fills both of its buckets. From then on the key stays permanently:
 * further puts store nothing and return false, {@link #remove} returns true and removes nothing. A
 * key whose buckets are both filled in this way by others is refused. Keys that collide are counted
 * together.
 *
 * <p><b>Remove only what was put</b>: see {@link RemovableFilter}.
 *
 * <p>Any number of threads may put, remove and look up at once. Puts and removals take turns, so of
 * all puts of a key exactly one returns true, unless the filter already reported the key when that
 * put took effect. Lookups never wait, and never miss a key while others move. A pass over the
 * slots ({@link #expectedFpp}, {@link #equals}) sees each slot at some moment during the call;
 * {@link #copy} and {@link #writeTo} take a snapshot.
 *
 * @param <T> the type of key
 * @see <a href="https://doi.org/10.1145/2674005.2674994">Fan, Andersen, Kaminsky, Mitzenmacher
 *     2014, Cuckoo filter: practically better than Bloom</a>
 */
@SuppressWarnings("serial") // by its bytes, see SerializableFilter
public final class CuckooFilter<T> extends SerializableFilter<T>
    implements RemovableFilter<T>, DropAware, Sized, Storable {

  /*
   * Writers share one lock, because a search for room may reach any bucket. It parks waiters, unlike
   * the spin locks of Bloom filters, because a search through 4,096 buckets takes tens of
   * microseconds; most puts are so short that waiters spin first. CuckooTable says why lookups never
   * miss a key without a lock.
   */

  /** How often a writer tries for the lock before it parks: for as long as a few puts take. */
  private static final int SPINS = 64;

  private final CuckooSizing sizing;
  private final CuckooTable table;
  private final KeyTally tally;
  private final @Nullable ReentrantLock lock;

  CuckooFilter(BoundHasher<T> hashing, CuckooSizing sizing, boolean threadSafe) {
    super(Kind.CUCKOO, hashing);
    this.lock = threadSafe ? new ReentrantLock() : null;
    this.sizing = sizing;
    this.table = new CuckooTable(sizing);
    this.tally = new KeyTally(sizing::fpp, false, null, KeyTally.NO_LIMIT);
  }

  /** Returns an empty filter with seed 0: see {@link #builder}. */
  public static <T> CuckooFilter<T> create(
      KeyHasher<? super T> hasher, long expectedKeys, double fpp) {
    return CuckooFilter.<T>builder(hasher).expectedKeys(expectedKeys).fpp(fpp).build();
  }

  /** Starts a filter whose keys are hashed by {@code hasher}. */
  public static <T> CuckooFilterBuilder<T> builder(KeyHasher<? super T> hasher) {
    return new CuckooFilterBuilder<>(requireNonNull(hasher, "hasher"));
  }

  /** Reads a filter that {@link #writeTo} wrote, as {@link Filters#readFrom} does. */
  public static <T> CuckooFilter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes) throws IOException {
    return CuckooFilterFrame.read(FrameReader.of(Kind.CUCKOO, in, maxBytes), hasher);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Up to the eighth, every put stores one more copy in either case. Where both buckets are full
   * it searches for keys that can move: near 95 % load through a few dozen buckets, before an
   * exception through 16,000.
   *
   * @throws FilterFullException if there is no room; nothing has changed then
   */
  @Override
  public boolean putHash(long hash) {
    lock();
    try {
      return putLocked(hash);
    } finally {
      unlock();
    }
  }

  private boolean putLocked(long hash) {
    int copies = table.copies(hash);
    if (copies == CuckooTable.MAX_COPIES) {
      return false;
    }
    if (!table.store(hash)) {
      throw new FilterFullException(
          String.format(
              Locale.ROOT,
              "the filter is full: no room for this key with %d of %d slots taken, built for %d"
                  + " keys; remove some or build a larger one",
              table.used(),
              sizing.slots(),
              expectedKeys()));
    }
    if (copies == 0) {
      tally.add();
    }
    return copies == 0;
  }

  private void lock() {
    if (lock == null) {
      return;
    }
    for (int i = 0; i < SPINS; i++) {
      if (lock.tryLock()) {
        return;
      }
    }
    lock.lock();
  }

  private void unlock() {
    if (lock != null) {
      lock.unlock();
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    return table.mightContain(hash);
  }

  /** {@inheritDoc} A key that was put eight times or more stays, and this returns true. */
  @Override
  public boolean removeHash(long hash) {
    lock();
    try {
      return removeLocked(hash);
    } finally {
      unlock();
    }
  }

  private boolean removeLocked(long hash) {
    int copies = table.copies(hash);
    if (copies != 0 && copies != CuckooTable.MAX_COPIES) {
      table.take(hash);
    }
    if (copies == 1) {
      tally.subtract();
    }
    return copies != 0;
  }

  /** {@inheritDoc} The maximum is 8, for eight or more. */
  @Override
  public long approximateCountHash(long hash) {
    return table.copies(hash);
  }

  /** Returns an independent snapshot with the same fingerprints in the same slots. */
  public CuckooFilter<T> copy() {
    CuckooFilter<T> copy = new CuckooFilter<>(hashing, sizing, isThreadSafe());
    lock();
    try {
      copy.slots().copyFrom(slots());
      copy.tally.continueFrom(acceptedKeys());
    } finally {
      unlock();
    }
    copy.table.recount();
    return copy;
  }

  /** Forgets all keys. */
  public void clear() {
    lock();
    try {
      table.clear();
      tally.clear();
    } finally {
      unlock();
    }
  }

  @Override
  public double expectedFpp() {
    return HashCollisions.addedTo(table.fpp(), approximateElementCount().value());
  }

  /**
   * Returns the exact number of copies in the filter, at no cost. That is the number of distinct
   * keys if each was put once; a key put twice counts twice, since it cannot be told from two keys
   * that collide. {@link #acceptedKeys} counts it once.
   */
  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return Estimate.around((double) used(), 0);
  }

  private long used() {
    lock();
    try {
      return table.used();
    } finally {
      unlock();
    }
  }

  /** {@inheritDoc} After deserialization, each copy counts as a key. */
  @Override
  public long acceptedKeys() {
    lock();
    try {
      return tally.keys();
    } finally {
      unlock();
    }
  }

  @Override
  public double expectedWrongDrops() {
    lock();
    try {
      return tally.expectedWrongDrops(0);
    } finally {
      unlock();
    }
  }

  @Override
  public long expectedKeys() {
    return sizing.expectedKeys();
  }

  @Override
  public double fpp() {
    return sizing.fpp();
  }

  /** Returns the bits of a fingerprint and the number of buckets. */
  public CuckooSizing sizing() {
    return sizing;
  }

  @Override
  public long bitSize() {
    return sizing.bits();
  }

  @Override
  public long serializedSize() {
    return Frame.bytes(slots().words().bytes());
  }

  /** {@inheritDoc} The snapshot of a thread-safe filter takes as much memory again. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    CuckooFilterFrame.write(out, sizing, hashId(), isThreadSafe() ? snapshot() : slots());
  }

  private PackedSlots snapshot() {
    PackedSlots snapshot = new PackedSlots(sizing.slots(), sizing.fingerprintBits());
    lock();
    try {
      snapshot.copyFrom(slots());
    } finally {
      unlock();
    }
    return snapshot;
  }

  @Override
  public boolean isThreadSafe() {
    return lock != null;
  }

  /**
   * Returns whether {@code object} is a cuckoo filter of the same size and hash function with the
   * same fingerprints in the same slots. Filters of the same keys, put in another order, are not
   * equal in general.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof CuckooFilter<?> other
        && hashId().equals(other.hashId())
        && sizing.fingerprintBits() == other.sizing.fingerprintBits()
        && sizing.buckets() == other.sizing.buckets()
        && slots().words().equals(other.slots().words());
  }

  @Override
  public int hashCode() {
    return 31 * hashId().hashCode() + slots().words().hashCode();
  }

  @Override
  public Traits traits() {
    return Traits.of("CuckooFilter")
        .with("bits", bitSize())
        .matching("fingerprint bits", sizing.fingerprintBits())
        .matching("buckets", sizing.buckets())
        .with("slots", sizing.slots())
        .with("expected keys", expectedKeys())
        .with("requested fpp", fpp())
        .matching("hash", hashId());
  }

  PackedSlots slots() {
    return table.slots();
  }

  /** Counts the keys that came with {@link #slots()}. */
  void tallyFromSlots() {
    table.recount();
    tally.continueFrom(table.used());
  }
}
