package dev.tamis.bench.report;

import dev.tamis.bench.peers.Contender;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * How much is measured, and for how long.
 *
 * @param id what it is called on the command line
 * @param contenders which filters
 * @param longKeys sizes of filters of longs: in L2, in L3 and in memory
 * @param textKeys sizes of filters of text
 * @param threadKeys sizes of filters that threads share
 * @param loadBytes sizes of memory to load from
 * @param bulkMebibytes size of the filter that is asked by the array
 * @param fast how long what fits a cache is measured
 * @param slow how long it takes where filling one filter takes seconds
 */
record Form(
    String id,
    Set<Contender> contenders,
    List<Integer> longKeys,
    List<Integer> textKeys,
    List<Integer> threadKeys,
    List<Long> loadBytes,
    int bulkMebibytes,
    Pace fast,
    Pace slow) {

  private static final long FAST_KEYS = 1_000_000;

  /** A few minutes: the filters and sizes that matter most. */
  static final Form QUICK =
      new Form(
          "quick",
          EnumSet.of(
              Contender.TAMIS,
              Contender.TAMIS_SIMD,
              Contender.TAMIS_CONCURRENT,
              Contender.TAMIS_CLASSIC,
              Contender.TAMIS_FUSE,
              Contender.GUAVA,
              Contender.SPARK,
              Contender.DATASKETCHES,
              Contender.FASTFILTER_BLOCKED),
          List.of(100_000, 20_000_000),
          List.of(1_000_000),
          List.of(20_000_000),
          List.of(25_000_064L, 134_217_728L),
          128,
          new Pace(2, 3, 150),
          new Pace(1, 2, 300));

  /** Everything. */
  static final Form FULL =
      new Form(
          "full",
          EnumSet.allOf(Contender.class),
          List.of(10_000, 100_000, 1_000_000, 20_000_000),
          List.of(10_000_000),
          List.of(1_000_000, 20_000_000),
          List.of(12_544L, 125_056L, 1_250_048L, 25_000_064L, 1_073_741_824L),
          1024,
          new Pace(3, 5, 300),
          new Pace(2, 3, 500));

  /** Returns the one that is called so on the command line, if there is one. */
  static Optional<Form> named(String id) {
    return Stream.of(QUICK, FULL).filter(form -> form.id.equals(id)).findFirst();
  }

  /** Returns JMH's arguments for filters of so many keys, where a put is timed by filling one. */
  List<String> jmhArguments(long keys) {
    return (keys > FAST_KEYS ? slow : fast).jmhArguments();
  }

  /**
   * How long something is measured.
   *
   * @param warmups iterations that do not count
   * @param iterations iterations that count
   * @param millis how long each takes at least
   */
  record Pace(int warmups, int iterations, int millis) {

    private List<String> jmhArguments() {
      return List.of(
          "-wi", "" + warmups, "-i", "" + iterations, "-w", millis + "ms", "-r", millis + "ms");
    }
  }
}
