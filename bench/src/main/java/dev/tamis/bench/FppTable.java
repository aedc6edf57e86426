package dev.tamis.bench;

import dev.tamis.KeyHasher;
import dev.tamis.filter.BloomFilter;
import dev.tamis.sizing.Layout;
import java.util.Locale;

/**
 * Prints the measured fpp beside the one asked for, for every layout, as a table in Markdown.
 *
 * <p>Arguments: the keys to put and the absent keys to ask for, 10,000,000 each without.
 */
public final class FppTable {

  private static final double[] FPPS = {0.01, 0.001, 0.0001};

  private FppTable() {}

  /** Prints the table. */
  public static void main(String[] args) {
    long keys = args.length > 0 ? Long.parseLong(args[0]) : 10_000_000;
    long absent = args.length > 1 ? Long.parseLong(args[1]) : 10_000_000;
    System.out.println("| layout | k | bits a key | asked for | measured | by the bits |");
    System.out.println("|---|---:|---:|---:|---:|---:|");
    for (double fpp : FPPS) {
      for (Layout layout : Layout.values()) {
        System.out.println(row(layout, fpp, keys, absent));
      }
    }
  }

  private static String row(Layout layout, double fpp, long keys, long absent) {
    BloomFilter<Long> filter =
        BloomFilter.<Long>builder(KeyHasher.longs())
            .expectedKeys(keys)
            .fpp(fpp)
            .layout(layout)
            .build();
    for (long key = 0; key < keys; key++) {
      boolean unused = filter.put(key);
    }
    long wrong = 0;
    for (long key = keys; key < keys + absent; key++) {
      if (filter.mightContain(key)) {
        wrong++;
      }
    }
    return String.format(
        Locale.ROOT,
        "| %s | %d | %.2f | %s %% | %.5f %% | %.5f %% |",
        layout.label(),
        filter.shape().hashes(),
        (double) filter.bitSize() / keys,
        100 * fpp,
        100.0 * wrong / absent,
        100 * filter.expectedFpp());
  }
}
