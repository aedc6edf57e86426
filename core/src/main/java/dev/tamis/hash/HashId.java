package dev.tamis.hash;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The name of a hash function: which one it is, and its seed or the id of its key.
 *
 * <p>Filters agree on the hash of a key if these and their hashers do.
 *
 * @param algorithm which function
 * @param number the seed, or the {@link HashKey#id} of the key where the function has one
 */
public record HashId(Algorithm algorithm, long number) {

  public HashId {
    requireNonNull(algorithm, "algorithm");
  }

  /** Returns the first difference, with both values; empty if equal. */
  public Optional<String> difference(HashId other) {
    if (algorithm != other.algorithm) {
      return Optional.of("hash differs: " + this + " and " + other);
    }
    return number == other.number
        ? Optional.empty()
        : Optional.of(
            algorithm.numberName
                + " differs: "
                + printedNumber()
                + " and "
                + other.printedNumber());
  }

  /** Returns the number in readable form: a seed in decimal, the id of a key in hexadecimal. */
  public String printedNumber() {
    return algorithm.isKeyed() ? HexFormat.of().toHexDigits(number) : Long.toString(number);
  }

  @Override
  public String toString() {
    return algorithm.label + " with " + algorithm.numberName + " " + printedNumber();
  }

  /** A family of hash functions that a filter can work with. */
  public enum Algorithm {
    /** XXH3 in its 64-bit form, with a seed: fast, and public. */
    XXH3(1, "xxh3", "seed"),

    /** SipHash-2-4 with a secret key: for keys that an attacker may choose. */
    SIPHASH(2, "siphash-2-4", "key id"),

    /** MurmurHash3 for x64 with 128 bits: Guava's, in filters of its format only. */
    MURMUR3_128(16, "murmur3-128", "seed"),

    /** MurmurHash3 for x86 twice, as Spark has it: in filters of its format only. */
    SPARK_MURMUR3(17, "spark-murmur3", "seed"),

    /** XXH64: Parquet's, in filters of its format only. */
    XXH64(18, "xxh64", "seed"),

    /** FNV-1 of 64 bits: that of DCSO's bloom, in filters of its format only. */
    FNV1_64(19, "fnv1-64", "seed");

    private final int id;
    private final String label;
    private final String numberName;

    Algorithm(int id, String label, String numberName) {
      this.id = id;
      this.label = label;
      this.numberName = numberName;
    }

    /** Returns the algorithm with this id in the file format. */
    public static Algorithm ofId(int id) {
      for (Algorithm algorithm : values()) {
        if (algorithm.id == id) {
          return algorithm;
        }
      }
      List<Integer> ids = Arrays.stream(values()).map(Algorithm::id).toList();
      throw new IllegalArgumentException("hash must be one of " + ids + ", got " + id);
    }

    /** Returns the id of this algorithm in the file format. */
    public int id() {
      return id;
    }

    public String label() {
      return label;
    }

    public String numberName() {
      return numberName;
    }

    /** Returns whether it works with a secret. */
    public boolean isKeyed() {
      return this == SIPHASH;
    }
  }
}
