package dev.tamis.format;

/** What a frame holds. */
public enum Kind {
  /** One bit array: a {@code BloomFilter}. */
  BLOOM(1, "bloom"),

  /** Bloom filters of growing size: a {@code ScalableBloomFilter}. */
  SCALABLE_BLOOM(2, "scalable");

  private final int id;
  private final String label;

  Kind(int id, String label) {
    this.id = id;
    this.label = label;
  }

  /** Returns the number that stands for this kind in a frame. */
  public int id() {
    return id;
  }

  /** Returns the name for people. */
  public String label() {
    return label;
  }
}
