package dev.tamis.filter;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Sized;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.BufferWords;
import dev.tamis.internal.bits.MappablePlacement;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.hashes.HashCollisions;
import dev.tamis.sizing.KeyCounts;
import dev.tamis.sizing.Shape;
import dev.tamis.sizing.Sizing;
import java.io.IOException;

/** A read-only Bloom filter over a mapped buffer, queried in place. */
final class BloomFilterView<T> extends FilterView<T> implements Sized {

  private final Sizing sizing;
  private final MappablePlacement placement;
  private final BufferWords words;

  private BloomFilterView(
      BoundHasher<T> hashing, FrameParts frame, Sizing sizing, BufferWords words) {
    super(Kind.BLOOM, hashing, frame);
    this.sizing = sizing;
    this.placement = BitPositions.placement(sizing.shape());
    this.words = words;
  }

  static <T> BloomFilterView<T> of(
      FrameParts frame, FrameReader header, KeyHasher<? super T> hasher) throws IOException {
    BoundHasher<T> hashing = header.boundHasher(hasher);
    Sizing sizing = BloomFilterFrame.sizing(header);
    Shape shape = sizing.shape();
    BufferWords words = frame.words(0);
    BloomFilterFrame.expectNoBitsBeyond(
        header, shape.bits(), words.get((shape.bits() - 1) / Long.SIZE));
    return new BloomFilterView<>(hashing, frame, sizing, words);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return placement.mightContain(words, hash);
  }

  @Override
  public double expectedFpp() {
    return HashCollisions.addedTo(placement.fpp(words), approximateElementCount().value());
  }

  @Override
  public Estimate approximateElementCount(Confidence confidence) {
    return KeyCounts.keys(sizing.shape(), SetBits.count(words, 0, bitSize()), confidence);
  }

  @Override
  public long bitSize() {
    return sizing.shape().bits();
  }

  @Override
  public long expectedKeys() {
    return sizing.expectedKeys();
  }

  @Override
  public double fpp() {
    return sizing.fpp();
  }
}
