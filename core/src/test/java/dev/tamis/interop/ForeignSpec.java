package dev.tamis.interop;

import dev.tamis.hash.KeyHasher;
import java.util.stream.Stream;

/** A foreign format whose filters have a hash of 64 bits, for the suites. */
enum ForeignSpec {
  SPARK_1 {
    @Override
    HashedBits<Long> create(long expectedKeys, double fpp) {
      return SparkBloomFilter.createVersion1(KeyHasher.longs(), expectedKeys, fpp);
    }
  },
  SPARK_2 {
    @Override
    HashedBits<Long> create(long expectedKeys, double fpp) {
      return SparkBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp, 42);
    }
  },
  PARQUET {
    @Override
    HashedBits<Long> create(long expectedKeys, double fpp) {
      return ParquetBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }
  },
  DCSO {
    @Override
    HashedBits<Long> create(long expectedKeys, double fpp) {
      return DcsoBloomFilter.create(KeyHasher.longs(), expectedKeys, fpp);
    }
  };

  abstract HashedBits<Long> create(long expectedKeys, double fpp);

  static Stream<ForeignSpec> all() {
    return Stream.of(values());
  }
}
