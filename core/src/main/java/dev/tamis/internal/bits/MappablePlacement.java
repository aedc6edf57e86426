package dev.tamis.internal.bits;

/** A placement of one of our own layouts, whose words can also be a mapped file. */
public abstract sealed class MappablePlacement extends Placement
    permits BlockedPlacement, ScatteredPlacement {

  MappablePlacement() {}

  /** Returns whether all bits of a key are set in {@code words}. */
  public boolean mightContain(BufferWords words, long hash) {
    int probes = probes();
    for (int probe = 0; probe < probes; probe++) {
      long bit = position(hash, probe);
      if ((words.get(bit >>> 6) & (1L << bit)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns the same as {@link #fpp(Words)}. */
  public abstract double fpp(BufferWords words);
}
