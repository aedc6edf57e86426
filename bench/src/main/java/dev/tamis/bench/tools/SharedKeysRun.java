package dev.tamis.bench.tools;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Overlap;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sketch.DistinctCounter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.apache.datasketches.hll.HllSketch;
import org.apache.datasketches.hll.TgtHllType;
import org.apache.datasketches.hll.Union;
import org.apache.datasketches.theta.JaccardSimilarity;
import org.apache.datasketches.theta.SetOperation;
import org.apache.datasketches.theta.Sketch;
import org.apache.datasketches.theta.UpdateSketch;

/**
 * Prints how good estimates of union, intersection and Jaccard index are, as a table in Markdown.
 *
 * <pre>
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.tools.SharedKeysRun [TRIALS]
 * </pre>
 *
 * <p>Each trial, of 300 by default, makes two sets of other keys. "Error" is the root of the mean
 * square of the relative error, "width" half of the mean interval over the true value, "held" how
 * often the interval held it; two standard deviations, 95.4 %, are required of all.
 */
public final class SharedKeysRun {

  private static final Confidence TWO_DEVIATIONS = new Confidence(0.9544997361036416);
  private static final int DEVIATIONS = 2;
  private static final int KEYS = 100_000;
  private static final double FPP = 0.01;
  private static final int PRECISION = 14;
  private static final int LOG_NOMINAL = 11;

  /** Keys only in the first, only in the second, and in both. */
  private static final int[][] SETS = {
    {25_000, 25_000, 50_000},
    {45_000, 45_000, 10_000},
    {49_500, 49_500, 1_000},
    {50_000, 50_000, 0},
    {90_000, 0, 10_000},
    {1_000, 0, 99_000},
    {0, 0, 100_000},
  };

  private SharedKeysRun() {}

  /** Prints the table. */
  public static void main(String[] args) {
    int trials = args.length > 0 ? Integer.parseInt(args[0]) : 300;
    System.out.println(
        "| sets | estimated by | union: error | width | held "
            + "| intersection: error | width | held | Jaccard: error | width | held |");
    System.out.println("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (int[] sets : SETS) {
      row(sets, trials, new BloomContender());
      row(sets, trials, new CounterContender());
      row(sets, trials, new ThetaContender());
      row(sets, trials, new HllContender());
    }
  }

  private static void row(int[] sets, int trials, Contender contender) {
    double union = (double) sets[0] + sets[1] + sets[2];
    Tally[] tallies = {new Tally(union), new Tally(sets[2]), new Tally(sets[2] / union)};
    SplittableRandom random = new SplittableRandom(KEYS + sets[2]);
    for (int i = 0; i < trials; i++) {
      List<Optional<Estimate>> estimates =
          contender.estimate(keys(random, sets[0]), keys(random, sets[1]), keys(random, sets[2]));
      for (int j = 0; j < tallies.length; j++) {
        estimates.get(j).ifPresent(tallies[j]::take);
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %d + %d, both %d | %s | %s | %s | %s |%n",
        sets[0],
        sets[1],
        sets[2],
        contender.name(),
        tallies[0],
        tallies[1],
        tallies[2]);
  }

  private static long[] keys(SplittableRandom random, int count) {
    return random.longs(count).toArray();
  }

  /** Errors of one estimate over many trials. */
  private static final class Tally {
    private final double truth;
    private double squares;
    private double widths;
    private int held;
    private int taken;

    Tally(double truth) {
      this.truth = truth;
    }

    void take(Estimate estimate) {
      double error = estimate.value() - truth;
      squares += error * error;
      widths += (estimate.high() - estimate.low()) / 2;
      held += estimate.low() <= truth && truth <= estimate.high() ? 1 : 0;
      taken++;
    }

    /** Relative to the truth; of nothing, the numbers themselves. */
    @Override
    public String toString() {
      if (taken == 0) {
        return "| | ";
      }
      double unit = truth == 0 ? 1 : truth / 100;
      String percent = truth == 0 ? "" : " %";
      return String.format(
          Locale.ROOT,
          "%.3g%s | %.3g%s | %.1f %%",
          Math.sqrt(squares / taken) / unit,
          percent,
          widths / taken / unit,
          percent,
          100.0 * held / taken);
    }
  }

  /** Estimates union, intersection and Jaccard index, where it can. */
  private interface Contender {
    String name();

    List<Optional<Estimate>> estimate(long[] onlyFirst, long[] onlySecond, long[] both);
  }

  private static List<Optional<Estimate>> of(Overlap overlap) {
    return List.of(
        Optional.of(overlap.union()), Optional.of(overlap.intersection()), overlap.jaccard());
  }

  private record BloomContender() implements Contender {
    @Override
    public String name() {
      return "Tamis, Bloom filters of 1 % (126 KB)";
    }

    @Override
    public List<Optional<Estimate>> estimate(long[] onlyFirst, long[] onlySecond, long[] both) {
      return of(filter(onlyFirst, both).estimateOverlap(filter(onlySecond, both), TWO_DEVIATIONS));
    }

    private static BloomFilter<Long> filter(long[] only, long[] both) {
      BloomFilter<Long> filter = BloomFilter.create(KeyHasher.longs(), KEYS, FPP);
      for (long key : only) {
        filter.put(key);
      }
      for (long key : both) {
        filter.put(key);
      }
      return filter;
    }
  }

  private record CounterContender() implements Contender {
    @Override
    public String name() {
      return "Tamis, distinct counters (16 KB)";
    }

    @Override
    public List<Optional<Estimate>> estimate(long[] onlyFirst, long[] onlySecond, long[] both) {
      return of(
          counter(onlyFirst, both).estimateOverlap(counter(onlySecond, both), TWO_DEVIATIONS));
    }

    private static DistinctCounter<Long> counter(long[] only, long[] both) {
      DistinctCounter<Long> counter = DistinctCounter.create(KeyHasher.longs(), PRECISION);
      for (long key : only) {
        counter.put(key);
      }
      for (long key : both) {
        counter.put(key);
      }
      return counter;
    }
  }

  private record ThetaContender() implements Contender {
    @Override
    public String name() {
      return "DataSketches, theta (16 KB)";
    }

    @Override
    public List<Optional<Estimate>> estimate(long[] onlyFirst, long[] onlySecond, long[] both) {
      Sketch first = sketch(onlyFirst, both);
      Sketch second = sketch(onlySecond, both);
      int nominal = 1 << LOG_NOMINAL;
      Sketch union =
          SetOperation.builder().setNominalEntries(nominal).buildUnion().union(first, second);
      Sketch common =
          SetOperation.builder()
              .setNominalEntries(nominal)
              .buildIntersection()
              .intersect(first, second);
      double[] jaccard = JaccardSimilarity.jaccard(first, second);
      return List.of(
          Optional.of(estimate(union)),
          Optional.of(estimate(common)),
          Optional.of(new Estimate(jaccard[1], jaccard[0], jaccard[2])));
    }

    private static Estimate estimate(Sketch sketch) {
      return new Estimate(
          sketch.getEstimate(), sketch.getLowerBound(DEVIATIONS), sketch.getUpperBound(DEVIATIONS));
    }

    private static Sketch sketch(long[] only, long[] both) {
      UpdateSketch sketch = UpdateSketch.builder().setNominalEntries(1 << LOG_NOMINAL).build();
      for (long key : only) {
        sketch.update(key);
      }
      for (long key : both) {
        sketch.update(key);
      }
      return sketch.rebuild().compact();
    }
  }

  private record HllContender() implements Contender {
    @Override
    public String name() {
      return "DataSketches, HLL of 8 bits (16 KB)";
    }

    @Override
    public List<Optional<Estimate>> estimate(long[] onlyFirst, long[] onlySecond, long[] both) {
      Union union = new Union(PRECISION);
      for (long[] keys : List.of(onlyFirst, onlySecond)) {
        HllSketch sketch = new HllSketch(PRECISION, TgtHllType.HLL_8);
        for (long key : keys) {
          sketch.update(key);
        }
        for (long key : both) {
          sketch.update(key);
        }
        union.update(sketch);
      }
      return List.of(
          Optional.of(
              new Estimate(
                  union.getEstimate(),
                  union.getLowerBound(DEVIATIONS),
                  union.getUpperBound(DEVIATIONS))),
          Optional.empty(),
          Optional.empty());
    }
  }
}
