package dev.tamis.flink;

/** The part of a filter that is the state of one bucket: its words, and how many keys it took. */
final class Bucket {

  private final long[] words;
  private long keys;

  Bucket(long keys, long[] words) {
    this.keys = keys;
    this.words = words;
  }

  /** Returns the words themselves; bit i of the bucket is bit {@code i & 63} of word i / 64. */
  long[] words() {
    return words;
  }

  long keys() {
    return keys;
  }

  void countKey() {
    keys++;
  }

  long setBits() {
    long bits = 0;
    for (long word : words) {
      bits += Long.bitCount(word);
    }
    return bits;
  }

  Bucket copy() {
    return new Bucket(keys, words.clone());
  }
}
