package dev.tamis.internal.bits;

/** A placement whose put and look-up are those for several threads at once. */
final class SharedPlacement extends Placement {

  private final Placement plain;

  SharedPlacement(Placement plain) {
    this.plain = plain;
  }

  @Override
  public int probes() {
    return plain.probes();
  }

  @Override
  public long position(long hash, int probe) {
    return plain.position(hash, probe);
  }

  @Override
  public long touch(long[] words, long hash) {
    return plain.touch(words, hash);
  }

  @Override
  public boolean put(long[] words, long hash) {
    return plain.putShared(words, hash);
  }

  @Override
  public boolean mightContain(long[] words, long hash) {
    return plain.mightContainShared(words, hash);
  }

  @Override
  public double fpp(long[] words) {
    return plain.fpp(words);
  }

  @Override
  public double fpp(BufferWords words) {
    return plain.fpp(words);
  }
}
