package dev.tamis.cli.size;

import org.jspecify.annotations.Nullable;

/**
 * What is given of a filter: two of keys, fpp and memory, or k and one of keys and memory.
 *
 * @param expectedKeys n, distinct keys
 * @param fpp p, the false-positive probability with all of them in
 * @param memoryBytes the memory it may take, in bytes
 * @param hashes k
 */
public record SizeRequest(
    @Nullable Long expectedKeys,
    @Nullable Double fpp,
    @Nullable Long memoryBytes,
    @Nullable Integer hashes) {

  /** Returns the memory in bits, or null if it is not given. */
  public @Nullable Long memoryBits() {
    return memoryBytes == null ? null : memoryBytes * Byte.SIZE;
  }
}
