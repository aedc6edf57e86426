package dev.tamis.interop;

/** A filter format of another program. */
public enum ForeignFormat {
  /** What {@code BloomFilter.writeTo} of Google's Guava writes. */
  GUAVA(1, "guava"),

  /** What {@code BloomFilter.writeTo} of Apache Spark's sketch library writes, version 1 or 2. */
  SPARK(2, "spark"),

  /** The bits of a split-block filter of Apache Parquet, as {@code BlockSplitBloomFilter} has. */
  PARQUET(3, "parquet"),

  /** What DCSO's program {@code bloom} and its library flor write. */
  DCSO(4, "dcso");

  private final int id;
  private final String label;

  ForeignFormat(int id, String label) {
    this.id = id;
    this.label = label;
  }

  /** Returns the format with this id in a frame; throws if the id is unknown. */
  public static ForeignFormat ofId(int id) {
    for (ForeignFormat format : values()) {
      if (format.id == id) {
        return format;
      }
    }
    throw new IllegalArgumentException(
        "foreign format must be 1 to " + values().length + ", got " + id);
  }

  /** Returns the id in a frame. */
  public int id() {
    return id;
  }

  /** Returns the display name. */
  public String label() {
    return label;
  }
}
