package dev.tamis.filter;

import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.format.FrameWriter;
import dev.tamis.format.Kind;
import dev.tamis.hash.KeyHasher;
import dev.tamis.internal.hashes.HashCollisions;
import dev.tamis.sizing.Checks;
import dev.tamis.sizing.FppText;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** A scalable Bloom filter as a frame of kind 2: see docs/format.md. */
final class ScalableBloomFilterFrame {

  static final int MAX_STAGES = 64;

  private static final int STAGES_AT = 24;
  private static final int RESERVED_AT = 28;
  private static final int FPP_AT = 32;
  private static final int ZEROS_AT = 40;

  private ScalableBloomFilterFrame() {}

  static <T> long bytes(List<BloomFilter<T>> stages) {
    return Frame.bytes(payloadBytes(stages));
  }

  private static <T> long payloadBytes(List<BloomFilter<T>> stages) {
    return stages.stream().mapToLong(BloomFilter::serializedSize).sum();
  }

  static <T> void write(OutputStream out, double fpp, List<BloomFilter<T>> stages)
      throws IOException {
    FrameWriter writer = new FrameWriter(out, Kind.SCALABLE_BLOOM, payloadBytes(stages));
    writer.header().putInt(STAGES_AT, stages.size()).putDouble(FPP_AT, fpp);
    for (BloomFilter<T> stage : stages) {
      stage.writeTo(writer.payload());
    }
    writer.finish();
  }

  static <T> ScalableBloomFilter<T> read(FrameReader reader, KeyHasher<? super T> hasher)
      throws IOException {
    long count = reader.u32(STAGES_AT);
    reader.expectRange(STAGES_AT, "stages", 1, MAX_STAGES, count);
    reader.expectZeros(RESERVED_AT, FPP_AT);
    double fpp = reader.parameter(FPP_AT, "fpp", () -> Checks.fpp(reader.f64(FPP_AT)));
    reader.expectNoMoreParameters(ZEROS_AT);
    List<BloomFilter<T>> stages = stages(reader, hasher, (int) count, fpp);
    reader.finish();
    return ScalableBloomFilter.of(stages.get(0).hasher(), fpp, stages, true);
  }

  private static <T> List<BloomFilter<T>> stages(
      FrameReader reader, KeyHasher<? super T> hasher, int count, double fpp) throws IOException {
    List<BloomFilter<T>> stages = new ArrayList<>(count);
    long left = reader.payloadBytes();
    double fppLeft = fpp;
    for (int i = 0; i < count; i++) {
      long at = Frame.HEADER_BYTES + reader.payloadBytes() - left;
      FrameReader nested = new FrameReader(reader.payload(), left - Frame.bytes(0), at);
      nested.expect(Frame.KIND_AT, "kind of a stage", Kind.BLOOM.id(), nested.kind().id());
      BloomFilter<T> stage = BloomFilterFrame.readStage(nested, hasher);
      left -= stage.serializedSize();
      fppLeft -= stage.fpp();
      if (fppLeft < 0) {
        throw reader.invalid(
            at,
            "fpp of stage " + i,
            "a sum of at most " + FppText.exact(fpp),
            FppText.exact(stage.fpp()));
      }
      double least = HashCollisions.fpp((double) stage.expectedKeys());
      if (!(stage.fpp() > least)) {
        throw reader.invalid(
            at,
            "fpp of stage " + i,
            "more than " + FppText.exact(least) + ", that of the hashes of its expected keys",
            FppText.exact(stage.fpp()));
      }
      if (i > 0 && !stage.hashId().equals(stages.get(0).hashId())) {
        throw reader.invalid(at, "hash of stage " + i, stages.get(0).hashId(), stage.hashId());
      }
      stages.add(stage);
    }
    if (left != 0) {
      throw reader.invalid(
          Frame.PAYLOAD_BYTES_AT,
          "payload length",
          reader.payloadBytes() - left + ", what the stages take",
          reader.payloadBytes());
    }
    return stages;
  }
}
