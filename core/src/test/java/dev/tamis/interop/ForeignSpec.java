package dev.tamis.interop;

import dev.tamis.hash.KeyHasher;
import java.util.stream.Stream;

/** A foreign format whose filters have a hash of 64 bits, for the suites. */
enum ForeignSpec {
  SPARK_1((keys, fpp) -> SparkBloomFilter.createVersion1(KeyHasher.longs(), keys, fpp)),
  SPARK_2((keys, fpp) -> SparkBloomFilter.create(KeyHasher.longs(), keys, fpp, 42)),
  PARQUET((keys, fpp) -> ParquetBloomFilter.create(KeyHasher.longs(), keys, fpp)),
  DCSO((keys, fpp) -> DcsoBloomFilter.create(KeyHasher.longs(), keys, fpp));

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method
  private final Exchange.Maker<HashedBits<Long>> maker;

  ForeignSpec(Exchange.Maker<HashedBits<Long>> maker) {
    this.maker = maker;
  }

  HashedBits<Long> create(long expectedKeys, double fpp) {
    return maker.create(expectedKeys, fpp);
  }

  static Stream<ForeignSpec> all() {
    return Stream.of(values());
  }
}
