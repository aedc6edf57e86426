package dev.tamis.filter;

import dev.tamis.Traits;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.BoundHasher;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.bits.SetBits;
import dev.tamis.internal.bits.Words;
import dev.tamis.sizing.Sizing;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;

/** A Bloom filter as a frame of kind 1: see docs/format.md. */
final class BloomFilterFrame {

  /** 256 KiB: large compared with the cost of a piece, small compared with a cache. */
  private static final long PIECE_WORDS = 1 << 15;

  private BloomFilterFrame() {}

  static void write(OutputStream out, Sizing sizing, BoundHasher<?> hashing, Words words)
      throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.BLOOM, words.bytes());
    writer.hash(hashing.id());
    writer.keyType(hashing.keyType());
    SizingFields.write(writer, sizing);
    writer.words(words.segments(), Words.FIRST);
    writer.finish();
  }

  static <T> BloomFilter<T> read(FrameReader reader, KeyHasher<? super T> hasher)
      throws IOException {
    return read(reader, hasher, BloomFilter::empty);
  }

  static <T> BloomFilter<T> readStage(FrameReader reader, KeyHasher<? super T> hasher)
      throws IOException {
    return read(reader, hasher, BloomFilter::stage);
  }

  private static <T> BloomFilter<T> read(
      FrameReader reader, KeyHasher<? super T> hasher, NewFilter<T> empty) throws IOException {
    BoundHasher<T> hashing = reader.boundHasher(hasher);
    Sizing sizing = sizing(reader);
    BloomFilter<T> filter = reader.allocate(() -> empty.of(hashing, sizing, true));
    reader.words(filter.words().segments(), Words.FIRST);
    expectNoBitsBeyond(reader, sizing.shape().bits(), filter.words().last());
    reader.finish();
    filter.tallyFromBits();
    return filter;
  }

  static <T> void putAll(InputStream in, BloomFilter<T> filter) throws IOException {
    FrameReader reader = FrameReader.of(Kind.BLOOM, in, Long.MAX_VALUE); // nothing is allocated
    HashId hashId = reader.boundHasher(filter.hasher().keyHasher()).id();
    Sizing sizing = sizing(reader);
    Traits found = Traits.of("filter").with(sizing.shape().traits()).matching("hash", hashId);
    Optional<String> difference = filter.traits().difference(found);
    if (difference.isPresent()) {
      throw new IllegalArgumentException("the two are not compatible: " + difference.get());
    }
    Words words = filter.words();
    Words piece = Words.allocate(Math.min(words.count(), PIECE_WORDS));
    long more = 0;
    try {
      for (long start = 0; start < words.count(); start += piece.count()) {
        long left = words.count() - start;
        if (left < piece.count()) {
          piece = Words.allocate(left);
        }
        reader.words(piece.segments(), Words.FIRST);
        if (left == piece.count()) {
          expectNoBitsBeyond(reader, sizing.shape().bits(), piece.last());
        }
        more += SetBits.countMissing(words, start, piece);
        filter.merge(start, piece);
      }
      reader.finish();
    } finally {
      filter.countMerged(SetBits.count(words) - more, more, false);
    }
    filter.tally().notifyOnce();
  }

  private interface NewFilter<T> {
    BloomFilter<T> of(BoundHasher<T> hashing, Sizing sizing, boolean threadSafe);
  }

  /** Returns the checked parameters, and checks the payload's length against them. */
  static Sizing sizing(FrameReader reader) throws IOException {
    Sizing sizing = SizingFields.read(reader);
    long bits = sizing.shape().bits();
    long words = (bits + Long.SIZE - 1) / Long.SIZE;
    reader.expectPayload(words * Long.BYTES, bits + " bits");
    return sizing;
  }

  static void expectNoBitsBeyond(FrameReader reader, long bits, long lastWord) throws IOException {
    int used = (int) (bits % Long.SIZE);
    if (used != 0 && lastWord >>> used != 0) {
      throw reader.invalid(
          Frame.HEADER_BYTES + reader.payloadBytes() - Long.BYTES,
          "last word",
          "zeros past bit " + (used - 1),
          "set bits");
    }
  }
}
