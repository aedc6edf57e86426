package dev.tamis.interop;

import dev.tamis.internal.bits.Placement;
import dev.tamis.internal.bits.Stripes;
import dev.tamis.internal.bits.Words;

/** The placement of {@link Probes} whose two parts are the halves of a hash of 64 bits. */
final class HashedProbes extends Placement {

  private final Probes probes;
  private final int rotation;

  private HashedProbes(Probes probes, int rotation) {
    this.probes = probes;
    this.rotation = rotation;
  }

  /** Takes the lower half of the hash, or all of it, as the first part. */
  static HashedProbes lowerFirst(Probes probes) {
    return new HashedProbes(probes, 0);
  }

  /** Takes the upper half of the hash as the first part. */
  static HashedProbes upperFirst(Probes probes) {
    return new HashedProbes(probes, Integer.SIZE);
  }

  private long first(long hash) {
    return Long.rotateLeft(hash, rotation);
  }

  private long second(long hash) {
    return Long.rotateLeft(hash, rotation + Integer.SIZE);
  }

  @Override
  public int probes() {
    return probes.hashes();
  }

  @Override
  public long position(long hash, int probe) {
    return probes.position(first(hash), second(hash), probe);
  }

  @Override
  public long prefetch(Words words, long hash) {
    return probes.prefetch(words, first(hash), second(hash));
  }

  @Override
  public boolean put(Words words, long hash) {
    return probes.put(words, first(hash), second(hash));
  }

  @Override
  public boolean mightContain(Words words, long hash) {
    return probes.mightContain(words, first(hash), second(hash));
  }

  @Override
  public long stripeIndex(long hash) {
    return hash;
  }

  @Override
  public void merge(Words words, Stripes stripes, long start, Words others) {
    mergeScattered(words, start, others);
  }

  @Override
  public double fpp(Words words) {
    return probes.fpp(words);
  }
}
