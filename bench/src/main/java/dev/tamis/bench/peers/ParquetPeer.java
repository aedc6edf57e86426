package dev.tamis.bench.peers;

import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;

/** Parquet's split-block Bloom filter, whose size is always a power of two. */
record ParquetPeer(BlockSplitBloomFilter filter) implements TakesLongs, TakesText {

  static ParquetPeer of(int keys) {
    int bits = BlockSplitBloomFilter.optimalNumOfBits(keys, Contender.FPP);
    return new ParquetPeer(new BlockSplitBloomFilter(bits / Byte.SIZE));
  }

  @Override
  public void put(long key) {
    filter.insertHash(filter.hash(key));
  }

  @Override
  public boolean ask(long key) {
    return filter.findHash(filter.hash(key));
  }

  @Override
  public void put(String key) {
    filter.insertHash(filter.hash(Binary.fromString(key)));
  }

  @Override
  public boolean ask(String key) {
    return filter.findHash(filter.hash(Binary.fromString(key)));
  }

  @Override
  public long bits() {
    return (long) filter.getBitsetSize() * Byte.SIZE;
  }
}
