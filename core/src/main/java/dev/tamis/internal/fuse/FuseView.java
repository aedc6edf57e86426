package dev.tamis.internal.fuse;

import dev.tamis.internal.bits.BufferWords;
import dev.tamis.internal.bits.PackedSlots;
import dev.tamis.sizing.FuseSizing;

/** A {@link FuseTable} over mapped memory. Safe for any number of threads. */
public final class FuseView {

  private final FusePlaces places;
  private final int arity;
  private final int width;
  private final byte[] seeds;
  private final BufferWords slots;

  public FuseView(FuseSizing sizing, int fingerprintBits, byte[] seeds, BufferWords slots) {
    this.places = new FusePlaces(sizing, fingerprintBits);
    this.arity = sizing.arity();
    this.width = fingerprintBits;
    this.seeds = seeds.clone();
    this.slots = slots;
  }

  public boolean mightContain(long hash) {
    int shard = places.shard(hash);
    long mixed = FusePlaces.mix(hash, seeds[shard]);
    long first = places.base(shard) + places.first(mixed);
    int found = slot(first);
    for (int index = 1; index < arity; index++) {
      found ^= slot(places.other(first, mixed, index));
    }
    return found == places.fingerprint(mixed);
  }

  private int slot(long index) {
    long first = index * width;
    long last = first + width - 1;
    return PackedSlots.slot(slots.get(first >>> 6), slots.get(last >>> 6), first, -1L >>> -width);
  }
}
