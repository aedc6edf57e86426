package dev.tamis.format;

/** What a frame holds. */
public enum Kind {
  /** One bit array: a {@code BloomFilter}. */
  BLOOM(1, "bloom"),

  /** Bloom filters of growing size: a {@code ScalableBloomFilter}. */
  SCALABLE_BLOOM(2, "scalable"),

  /** Small counters in place of bits: a {@code CountingBloomFilter}. */
  COUNTING_BLOOM(3, "counting"),

  /** Buckets of fingerprints: a {@code CuckooFilter}. */
  CUCKOO(4, "cuckoo"),

  /** Slices that age: a {@code WindowedBloomFilter}. */
  WINDOWED_BLOOM(5, "windowed"),

  /** A binary fuse filter, which is built once: a {@code FuseFilter}. */
  FUSE(6, "fuse"),

  /** A bumped ribbon filter, which is built once: a {@code RibbonFilter}. */
  RIBBON(7, "ribbon"),

  /** Rows of counters: a {@code CountMinSketch}. */
  COUNT_MIN(8, "count-min"),

  /** Registers of an UltraLogLog: a {@code DistinctCounter}. */
  DISTINCT(9, "distinct"),

  /** The bytes of another program's filter: a {@code ForeignFilter}. */
  FOREIGN(10, "foreign");

  private final int id;
  private final String label;

  Kind(int id, String label) {
    this.id = id;
    this.label = label;
  }

  /** Returns the id of this kind in a frame. */
  public int id() {
    return id;
  }

  /** Returns a description of such a frame, for messages. */
  String what() {
    return this == COUNT_MIN || this == DISTINCT ? "sketch" : "filter";
  }

  /** Returns the display name. */
  public String label() {
    return label;
  }
}
