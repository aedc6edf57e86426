package dev.tamis.spark;

import dev.tamis.Estimate;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.SparkBloomFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.apache.spark.util.sketch.BloomFilter;

/**
 * What a Bloom filter of Spark's own really is, by its bits.
 *
 * <p>{@code df.stat().bloomFilter} makes no filter of more than {@code
 * spark.sql.optimizer.runtime.bloomFilter.maxNumBits} bits, 67,108,864 by default, whatever is
 * requested, without a warning.
 *
 * @param bits the bits it has
 * @param hashes the bits of a key
 * @param keys the distinct keys it has
 * @param fpp its false-positive probability
 */
public record SparkFilterCheck(long bits, int hashes, Estimate keys, double fpp) {

  /** Ratio to the requested fpp that is worth a warning. */
  private static final double TOLERANCE = 1.1;

  static SparkFilterCheck of(BloomFilter filter) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      filter.writeTo(bytes);
      SparkBloomFilter<CharSequence> read =
          SparkBloomFilter.readFrom(
              new ByteArrayInputStream(bytes.toByteArray()), KeyHasher.text(), bytes.size());
      return new SparkFilterCheck(
          read.bitSize(), read.hashes(), read.approximateElementCount(), read.expectedFpp());
    } catch (IOException e) {
      throw new IllegalArgumentException("filter: cannot be read: " + e.getMessage(), e);
    }
  }

  /** Returns a warning if the fpp exceeds the requested one; otherwise empty. */
  public Optional<String> warning(double requestedFpp) {
    return fpp > TOLERANCE * requestedFpp
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "the filter has %d bits and %d hashes for %s keys: its fpp is %.3g, requested were"
                    + " %s; raise spark.sql.optimizer.runtime.bloomFilter.maxNumBits and"
                    + " maxNumItems, or build it with TamisSpark.filter",
                bits,
                hashes,
                keys.isBounded() ? "about " + keys.rounded() : "an unknown number of",
                fpp,
                requestedFpp))
        : Optional.empty();
  }
}
