package dev.tamis.internal.fuse;

import dev.tamis.internal.bits.PackedSlots;
import dev.tamis.internal.hashes.Parts;
import dev.tamis.internal.hashes.SortedHashes;
import dev.tamis.sizing.FuseSizing;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a binary fuse filter: the exclusive or of a key's slots is its fingerprint.
 *
 * <p>Safe for any number of threads once it is built.
 */
public final class FuseTable {

  /** The seeds tried before the shards are enlarged; a third fail with 10 keys and arity 4. */
  private static final int MAX_SEEDS = 64;

  private final FuseSizing sizing;
  private final byte[] seeds;
  private final PackedSlots slots;

  // of the sizing, cached for the hot path
  private final FusePlaces places;
  private final int arity;

  /** Creates a table of zeros of 1 to 32 bits; throws if the heap cannot hold the slots. */
  public FuseTable(FuseSizing sizing, int fingerprintBits) {
    this.sizing = sizing;
    this.slots = new PackedSlots(sizing.slots(), fingerprintBits);
    this.seeds = new byte[sizing.shards()];
    this.places = new FusePlaces(sizing, fingerprintBits);
    this.arity = sizing.arity();
  }

  /**
   * Builds the table of some hashes, the same for any number of threads, each of which takes 24
   * bytes per hash of the fullest shard.
   *
   * @param sizing the first shape, enlarged until construction succeeds
   * @throws IllegalArgumentException if the heap cannot hold the slots
   */
  public static FuseTable build(
      SortedHashes hashes, FuseSizing sizing, int fingerprintBits, int threads) {
    long[] counts = hashes.counts(Integer.numberOfTrailingZeros(sizing.shards()));
    for (FuseSizing larger = sizing; ; larger = larger.enlarged()) {
      FuseTable table = new FuseTable(larger, fingerprintBits);
      if (table.fill(hashes, counts, threads)) {
        return table;
      }
    }
  }

  private boolean fill(SortedHashes hashes, long[] counts, int threads) {
    boolean shareWords = (long) sizing.shardSlots() * slots.width() % Long.SIZE != 0;
    AtomicBoolean allFit = new AtomicBoolean(true);
    Parts.run(
        counts.length,
        shareWords ? 1 : threads,
        () -> {
          ShardFiller filler = new ShardFiller(hashes.reader(), counts);
          return shard -> {
            if (allFit.get() && !filler.fill(shard)) {
              allFit.set(false);
            }
          };
        });
    return allFit.get();
  }

  /** Fills some of the shards, in ascending order. */
  private final class ShardFiller {
    private final SortedHashes.Reader reader;
    private final long[] counts;
    private final FusePeeling peeling;
    private int next;

    ShardFiller(SortedHashes.Reader reader, long[] counts) {
      this.reader = reader;
      this.counts = counts;
      this.peeling = new FusePeeling(FuseTable.this, (int) Arrays.stream(counts).max().orElse(0));
    }

    boolean fill(int shard) {
      for (; next < shard; next++) {
        reader.skip(counts[next]);
      }
      int count = (int) counts[shard];
      for (int seed = 0; seed < MAX_SEEDS; seed++) {
        if (peeling.peel(reader, count, (byte) seed)) {
          FuseTable.this.fill(shard, (byte) seed, peeling.order(), peeling.own(), count);
          return true;
        }
      }
      return false;
    }
  }

  public boolean mightContain(long hash) {
    int shard = places.shard(hash);
    long mixed = FusePlaces.mix(hash, seeds[shard]);
    long first = places.base(shard) + places.first(mixed);
    int found =
        slots.get(first)
            ^ slots.get(places.other(first, mixed, 1))
            ^ slots.get(places.other(first, mixed, 2));
    if (arity == 4) {
      found ^= slots.get(places.other(first, mixed, 3));
    }
    return found == places.fingerprint(mixed);
  }

  /** Returns a slot of a mixed hash, counted from the first of its shard. */
  int slot(long mixed, int index) {
    long first = places.first(mixed);
    return (int) (index == 0 ? first : places.other(first, mixed, index));
  }

  /** Fills a shard of zeros in reverse peeling order: {@code order} and {@code own}. */
  void fill(int shard, byte seed, long[] order, byte[] own, int count) {
    long base = places.base(shard);
    seeds[shard] = seed;
    for (int i = count - 1; i >= 0; i--) {
      long mixed = order[i];
      int value = places.fingerprint(mixed);
      for (int index = 0; index < arity; index++) {
        value ^= slots.get(base + slot(mixed, index)); // its own is zero still
      }
      slots.set(base + slot(mixed, own[i]), value);
    }
  }

  public FuseSizing sizing() {
    return sizing;
  }

  public byte[] seeds() {
    return seeds;
  }

  public void setSeeds(byte[] read) {
    System.arraycopy(read, 0, seeds, 0, seeds.length);
  }

  public PackedSlots slots() {
    return slots;
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof FuseTable other
        && sizing.equals(other.sizing)
        && slots.width() == other.slots.width()
        && Arrays.equals(seeds, other.seeds)
        && slots.words().equals(other.slots.words());
  }

  @Override
  public int hashCode() {
    return 31 * sizing.hashCode() + slots.words().hashCode();
  }
}
