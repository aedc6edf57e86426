package dev.tamis.cli.size;

import org.jspecify.annotations.Nullable;

/**
 * What is known of a filter: two of keys, fpp and memory, or k and one of keys and memory.
 *
 * @param expectedKeys n, distinct keys
 * @param fpp p, the false-positive probability with all of them in
 * @param memoryBytes what it may take
 * @param hashes k
 */
public record SizeRequest(
    @Nullable Long expectedKeys,
    @Nullable Double fpp,
    @Nullable Long memoryBytes,
    @Nullable Integer hashes) {

  /** Returns the memory in bits, or null if it is not known. */
  public @Nullable Long memoryBits() {
    return memoryBytes == null ? null : memoryBytes * Byte.SIZE;
  }
}
