package dev.tamis.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashId;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The buckets of a filter, and their bytes in a checkpoint. */
class BucketsTest {

  private static final int HEADER_BYTES = 128;

  private static final SeenParameters PARAMETERS =
      new SeenParameters(100, 0.01, 3, 0, 0, Layout.SPLIT.id(), 4 * 512, 8, 1, 42, "longs");

  @ParameterizedTest
  @CsvSource({"LINE, 5", "SPLIT, 8", "SPLIT, 16"})
  void togetherAreThePayloadOfTheFile(Layout layout, int hashes) throws IOException {
    Shape shape = new Shape(layout, 100 * 512, hashes);
    BloomFilter<Long> whole =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .layout(layout)
            .bits(shape.bits())
            .hashes(hashes)
            .build();
    Buckets buckets = new Buckets(shape, 7);
    Bucket[] parts = new Bucket[buckets.count()];
    Arrays.setAll(parts, buckets::empty);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 5_000; i++) {
      long hash = random.nextLong();
      int number = buckets.of(hash);
      assertThat(buckets.mightContain(parts[number], number, hash))
          .isEqualTo(whole.mightContainHash(hash));
      assertThat(buckets.put(parts[number], number, hash) > 0).isEqualTo(whole.putHash(hash));
      assertThat(buckets.mightContain(parts[number], number, hash)).isTrue();
    }
    byte[] file = whole.toByteArray();
    byte[] payload = Arrays.copyOfRange(file, HEADER_BYTES, file.length - 4);
    assertThat(payload(shape, parts)).isEqualTo(payload);
    assertThat(Arrays.stream(parts).mapToLong(Bucket::keys).sum()).isEqualTo(whole.acceptedKeys());
  }

  private static byte[] payload(Shape shape, Bucket[] parts) throws IOException {
    SeenParameters parameters =
        new SeenParameters(
            1, 0.5, 7, 0, 0, shape.layout().id(), shape.bits(), shape.hashes(), 1, 0, "longs");
    BucketSerializer serializer = new BucketSerializer(parameters);
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (Bucket part : parts) {
      DataOutputSerializer out = new DataOutputSerializer(64);
      serializer.serialize(part, out);
      payload.write(out.getSharedBuffer(), 12, out.length() - 12);
    }
    return payload.toByteArray();
  }

  @Test
  void splitEvenlyIntoWholeLines() {
    Shape shape = new Shape(Layout.SPLIT, 10 * 512, 8);
    assertThat(new Buckets(shape, 1).count()).isEqualTo(1);
    assertThat(new Buckets(shape, 4).count()).isEqualTo(4);
    assertThat(new Buckets(shape, 4).bits(3)).isEqualTo(512);
    assertThat(new Buckets(shape, 9).count()).isEqualTo(5);
    assertThat(new Buckets(shape, Buckets.MAX).count()).isEqualTo(10);
    assertThatThrownBy(() -> new Buckets(shape, 0)).hasMessageContaining("got 0");
    assertThatThrownBy(() -> new Buckets(shape, Buckets.MAX + 1)).hasMessageContaining("got 10485");
    assertThatThrownBy(() -> new Buckets(new Shape(Layout.SPLIT_PAIR, 1024, 16), 1))
        .hasMessage(
            "layout: must be line or split, so that a key is in one bucket, got split-pair");
  }

  @Test
  void areManyEnoughToBeSmall() {
    assertThat(Buckets.defaultCount(new Shape(Layout.SPLIT, 512, 8))).isEqualTo(1024);
    assertThat(Buckets.defaultCount(new Shape(Layout.SPLIT, 1024L << 17, 8))).isEqualTo(1024);
    assertThat(Buckets.defaultCount(new Shape(Layout.SPLIT, (1024L << 17) + 4096, 8)))
        .isEqualTo(1025);
  }

  @Test
  void stateOfEveryVersionStaysReadable() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    TypeSerializerSnapshot.writeVersionedSnapshot(
        out, new BucketSerializer(PARAMETERS).snapshotConfiguration());
    String schema = HexFormat.of().formatHex(out.getCopyOfBuffer());
    assertThat(schema)
        .endsWith(
            "00000002" // version
                + "0000000000000064" // expected keys
                + "3f847ae147ae147b" // fpp
                + "00000003" // buckets
                + "0000000000000000" // window
                + "00000000" // generations
                + "00000004" // layout
                + "0000000000000800" // bits
                + "00000008" // hashes
                + "00000001" // hash function
                + "000000000000002a" // seed
                + "00056c6f6e6773"); // hasher
    TypeSerializerSnapshot<Bucket> read =
        TypeSerializerSnapshot.readVersionedSnapshot(
            new DataInputDeserializer(out.getCopyOfBuffer()), getClass().getClassLoader());
    assertThat(read.restoreSerializer()).isEqualTo(new BucketSerializer(PARAMETERS));
    byte[] first = Arrays.copyOfRange(out.getSharedBuffer(), out.length() - 67, out.length() - 7);
    BucketSerializerSnapshot old = new BucketSerializerSnapshot();
    old.readSnapshot(1, new DataInputDeserializer(first), getClass().getClassLoader());
    assertThat(new BucketSerializerSnapshot(PARAMETERS).resolveSchemaCompatibility(old))
        .matches(TypeSerializerSchemaCompatibility::isCompatibleAsIs);
    byte[] bucket = HexFormat.of().parseHex("0000000000000005" + "00000001" + "efcdab8967452301");
    Bucket five = read.restoreSerializer().deserialize(new DataInputDeserializer(bucket));
    assertThat(five.keys()).isEqualTo(5);
    assertThat(five.words()).containsExactly(0x0123456789abcdefL);
  }

  @Test
  void refusesAnotherVersionAndDamagedState() {
    assertThatThrownBy(
            () ->
                new BucketSerializerSnapshot()
                    .readSnapshot(3, new DataInputDeserializer(), getClass().getClassLoader()))
        .hasMessageContaining("version: must be 1 to 2, got 3; it was written by a newer Tamis");
    for (String words : new String[] {"00000000", "00000011", "ffffffff"}) {
      byte[] bucket = HexFormat.of().parseHex("0000000000000005" + words);
      assertThatThrownBy(
              () -> new BucketSerializer(PARAMETERS).deserialize(new DataInputDeserializer(bucket)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("words of a bucket: must be 1 to 16, got ");
    }
  }

  @Test
  void theTableOfFppsFollowsTheFormula() {
    Shape shape = new Shape(Layout.SPLIT, 1000 * 512, 8);
    Buckets buckets = new Buckets(shape, 30); // of 34 lines but the last, which has 14
    BucketFpp fpp = new BucketFpp(buckets, 50_000);
    assertThat(fpp.of(0, 0)).isZero();
    for (long keys : new long[] {400, 1700, 3400}) {
      double exact = new Shape(Layout.SPLIT, 34 * 512, 8).fpp(keys);
      assertThat(fpp.of(0, keys)).isBetween(exact * 0.8, exact * 1.25);
    }
    assertThat(fpp.of(29, 700)).isBetween(fpp.of(0, 1650), fpp.of(0, 1750));
    assertThat(fpp.of(0, Long.MAX_VALUE)).isBetween(0.999, 1.0);
    assertThat(fpp.capacity(29)).isEqualTo(700);
  }

  @Test
  void copiesAreIndependent() {
    BucketSerializer serializer = new BucketSerializer(PARAMETERS);
    Bucket bucket = PARAMETERS.split().empty(0);
    Bucket copy = serializer.copy(bucket);
    assertThat(PARAMETERS.split().put(bucket, 0, 1)).isEqualTo(8);
    assertThat(copy.setBits()).isZero();
    assertThat(copy.keys()).isZero();
    assertThat(bucket.setBits()).isEqualTo(8);
    assertThat(PARAMETERS.withHash(new HashId(HashId.Algorithm.XXH3, 42))).isEqualTo(PARAMETERS);
  }
}
