package dev.tamis.cli.size;

import org.jspecify.annotations.Nullable;

/** Computes the size of one type of filter. */
public interface Sizer {

  /** Computes what a request leaves open; throws {@link IllegalArgumentException} if impossible. */
  SizeRow solve(String type, Request request);

  boolean hasHashes();

  /** Two of n, p and memory, or k and one of n and memory. */
  record Request(
      @Nullable Long expectedKeys,
      @Nullable Double fpp,
      @Nullable Long memoryBytes,
      @Nullable Integer hashes) {

    public @Nullable Long memoryBits() {
      return memoryBytes == null ? null : memoryBytes * Byte.SIZE;
    }
  }
}
