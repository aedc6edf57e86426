package dev.tamis.cli.size;

import org.jspecify.annotations.Nullable;

/** Computes the size of one type of filter. */
public interface Sizer {

  /**
   * Computes what a request leaves open.
   *
   * @param type the name in the row
   * @throws IllegalArgumentException if no such filter is possible, saying why
   */
  SizeRow solve(String type, Request request);

  boolean hasHashes();

  /**
   * What is given of a filter: two of keys, fpp and memory, or k and one of keys and memory.
   *
   * @param expectedKeys n, distinct keys
   * @param fpp p, the false-positive probability with all of them in
   * @param memoryBytes the memory it may take, in bytes
   * @param hashes k
   */
  record Request(
      @Nullable Long expectedKeys,
      @Nullable Double fpp,
      @Nullable Long memoryBytes,
      @Nullable Integer hashes) {

    /** Returns the memory in bits, or null if it is not given. */
    public @Nullable Long memoryBits() {
      return memoryBytes == null ? null : memoryBytes * Byte.SIZE;
    }
  }
}
