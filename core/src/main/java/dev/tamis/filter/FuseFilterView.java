package dev.tamis.filter;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.BufferWords;
import dev.tamis.internal.fuse.FuseView;
import java.io.IOException;

/**
 * A read-only binary fuse filter over a mapped buffer, queried in place; only its seeds are on
 * heap.
 */
final class FuseFilterView<T> extends FilterView<T> {

  private final FuseFilterFrame.Parameters parameters;
  private final FuseView slots;

  private FuseFilterView(
      BoundHasher<T> hashing,
      FrameParts frame,
      FuseFilterFrame.Parameters parameters,
      FuseView slots) {
    super(Kind.FUSE, hashing, frame);
    this.parameters = parameters;
    this.slots = slots;
  }

  static <T> FuseFilterView<T> of(FrameParts frame, FrameReader header, KeyHasher<? super T> hasher)
      throws IOException {
    BoundHasher<T> hashing = header.boundHasher(hasher);
    FuseFilterFrame.Parameters parameters = FuseFilterFrame.parameters(header);
    BufferWords words = frame.words(0);
    long[] seedWords = new long[FuseFilterFrame.seedWords(parameters.sizing().shards())];
    for (int i = 0; i < seedWords.length; i++) {
      seedWords[i] = words.get(i);
    }
    byte[] seeds = FuseFilterFrame.seeds(header, seedWords, parameters.sizing().shards());
    BufferWords slots = frame.words(seedWords.length);
    FuseFilterFrame.expectNoBitsBeyond(
        header, parameters, slots.get((parameters.bits() - 1) / Long.SIZE));
    return new FuseFilterView<>(
        hashing,
        frame,
        parameters,
        new FuseView(parameters.sizing(), parameters.fingerprintBits(), seeds, slots));
  }

  @Override
  public boolean mightContainHash(long hash) {
    return parameters.keys() != 0 && slots.mightContain(hash);
  }

  @Override
  public double expectedFpp() {
    return FuseFilter.expectedFpp(parameters.keys(), parameters.fingerprintBits());
  }

  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return new Estimate(parameters.keys(), parameters.keys(), parameters.keys());
  }

  @Override
  public long bitSize() {
    return parameters.bits();
  }
}
