package dev.tamis.tools.network;

import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Checks;

/**
 * Settings of a {@link PathFilter}; bits and either hops or hashes are needed.
 *
 * <p>All nodes of a network must have the same settings and the same hasher.
 *
 * @param <N> the type of a node's or link's identity
 */
public final class PathFilterBuilder<N> {

  /** The most tables: the gain of each doubling is half of the one before. */
  public static final int MAX_TABLES = 64;

  private final KeyHasher<? super N> hasher;
  private int bits;
  private int hops;
  private int hashes;
  private int tables = 1;
  private double maxFill = 0.5;

  PathFilterBuilder(KeyHasher<? super N> hasher) {
    this.hasher = hasher;
  }

  /** Sets m, the bits in each packet: a multiple of 8 from 64 to 1024. */
  public PathFilterBuilder<N> bits(int bits) {
    this.bits = PathShape.requireBits(bits);
    return this;
  }

  /** Sets the nodes of a long path, at least 1, from which the best hashes follow. */
  public PathFilterBuilder<N> hops(int hops) {
    Checks.atLeast("hops", hops, 1);
    this.hops = hops;
    return this;
  }

  /** Sets k, the bits of each node, instead of the best number for the hops; 1 to 16. */
  public PathFilterBuilder<N> hashes(int hashes) {
    this.hashes = PathShape.requireHashes(hashes);
    return this;
  }

  /**
   * Sets d, the tables of tags: a node has other bits in each, and a packet says which it is in. A
   * sender that knows the whole path takes the best of d filters; one that does not may send again
   * in another table what was lost in the first. 1 to {@value #MAX_TABLES}, 1 without.
   */
  public PathFilterBuilder<N> tables(int tables) {
    if (tables < 1 || tables > MAX_TABLES) {
      throw new IllegalArgumentException("tables must be 1 to " + MAX_TABLES + ", got " + tables);
    }
    this.tables = tables;
    return this;
  }

  /**
   * Sets the share of bits that may be set, in (0, 1), 0.5 without. A packet with more is refused:
   * with all bits set it would be on every path and have been at every node.
   */
  public PathFilterBuilder<N> maxFill(double maxFill) {
    if (!(maxFill > 0 && maxFill < 1)) {
      throw new IllegalArgumentException("maxFill must be in (0, 1), got " + maxFill);
    }
    this.maxFill = maxFill;
    return this;
  }

  /**
   * Builds it.
   *
   * @throws IllegalStateException if bits are missing, or not exactly one of hops and hashes is set
   * @throws IllegalArgumentException if the fill does not even allow one node
   */
  public PathFilter<N> build() {
    if (bits == 0) {
      throw new IllegalStateException("need the bits");
    }
    if ((hops == 0) == (hashes == 0)) {
      throw new IllegalStateException("need either hops or hashes");
    }
    int maxOnes = (int) (maxFill * bits);
    PathShape shape =
        hashes == 0 ? PathShape.forHops(bits, maxOnes, hops) : new PathShape(bits, hashes, maxOnes);
    return new PathFilter<>(hasher, shape, tables);
  }
}
