package dev.tamis.bench.report;

import dev.tamis.bench.peers.BulkLookup;
import dev.tamis.bench.peers.Contender;
import dev.tamis.bench.peers.LongKeys;
import dev.tamis.bench.peers.TextKeys;
import dev.tamis.bench.peers.Threads;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A speed that is wanted, and what was measured.
 *
 * @param work what is done
 * @param against what the time is compared with
 * @param scalar what is wanted without flags
 * @param simd what is wanted with the Vector API
 */
record Target(String work, String against, List<Goal> scalar, List<Goal> simd) {

  private static final long FAR_OUT_OF_CACHE = 20_000_000;
  private static final long IN_CACHE = 100_000;
  private static final List<String> ALL = List.of("put", "hit", "miss");
  private static final List<String> ASKED = List.of("hit", "miss");

  /** How much above 1 % a peer's fpp may be for its speed to count: rounding, not another size. */
  private static final double SAME_FPP = 1.1 * Contender.FPP;

  Target {
    scalar = List.copyOf(scalar);
    simd = List.copyOf(simd);
  }

  /** Returns all targets, with what is known about each. */
  static List<Target> all(Results results) {
    Finder find = new Finder(results);
    return List.of(
        find.longs(FAR_OUT_OF_CACHE, "Guava", find::guava, wanted(6, 5, 5), wanted(18, 10, 12)),
        find.longs(
            FAR_OUT_OF_CACHE, "best peer", find::best, wanted(.8, .8, .8), wanted(1.6, 1.6, 1.6)),
        find.longs(IN_CACHE, "Guava", find::guava, wanted(8, 6, 8), wanted(20, 12, 20)),
        find.bulk(),
        find.text(),
        find.garbage(),
        find.concurrent(FAR_OUT_OF_CACHE),
        find.concurrent(IN_CACHE),
        find.twoThreads(),
        find.fuse());
  }

  private static double[] wanted(double... bounds) {
    return bounds;
  }

  /** Returns the row of the table. */
  List<String> cells() {
    return Stream.of(List.of(work, against), Goal.cells(scalar), Goal.cells(simd))
        .flatMap(List::stream)
        .toList();
  }

  /** Looks up what the targets compare. */
  private record Finder(Results results) {

    private Optional<Measurement> longs(String operation, Contender contender, long keys) {
      return results.find(LongKeys.class, operation, contender, Map.of("keys", keys));
    }

    private Optional<Measurement> guava(String operation, long keys) {
      return longs(operation, Contender.GUAVA, keys);
    }

    /** Returns the fastest peer that takes keys one by one and shows the fpp that was asked for. */
    private Optional<Measurement> best(String operation, long keys) {
      return Arrays.stream(Contender.values())
          .filter(contender -> !contender.isOurs() && contender.takesLongs())
          .flatMap(contender -> longs(operation, contender, keys).stream())
          .filter(found -> found.fpp().orElse(1) <= SAME_FPP)
          .min(Comparator.comparingDouble(Measurement::median));
    }

    private Target longs(
        long keys,
        String against,
        BiFunction<String, Long, Optional<Measurement>> peer,
        double[] scalar,
        double[] simd) {
      return new Target(
          "put / hit / miss, long keys, " + Markdown.keys(keys),
          against,
          faster(keys, peer, Contender.TAMIS, scalar),
          faster(keys, peer, Contender.TAMIS_SIMD, simd));
    }

    private List<Goal> faster(
        long keys,
        BiFunction<String, Long, Optional<Measurement>> peer,
        Contender ours,
        double[] bounds) {
      return Goal.each(
          ALL,
          (operation, i) ->
              Goal.atLeast(bounds[i], peer.apply(operation, keys), longs(operation, ours, keys)));
    }

    private Target bulk() {
      long mebibytes = largest(BulkLookup.class, "mebibytes", 1024);
      return new Target(
          "bulk hit / miss, filter of " + mebibytes + " MiB",
          "loads of lines",
          bulk(Contender.TAMIS, 2, mebibytes),
          bulk(Contender.TAMIS_SIMD, 1.4, mebibytes));
    }

    private List<Goal> bulk(Contender contender, double bound, long mebibytes) {
      Map<String, Long> where = Map.of("mebibytes", mebibytes);
      Optional<Measurement> loads = results.find(BulkLookup.class, "loads", contender, where);
      return Goal.each(
          List.of("bulkHit", "bulkMiss"),
          (operation, i) ->
              Goal.atMost(
                  bound, results.find(BulkLookup.class, operation, contender, where), loads));
    }

    private Target text() {
      long keys = largest(TextKeys.class, "keys", 10_000_000);
      return new Target(
          "hit / miss, addresses, " + Markdown.keys(keys),
          "Guava",
          text(Contender.TAMIS, 4, keys),
          text(Contender.TAMIS_SIMD, 5, keys));
    }

    private List<Goal> text(Contender contender, double bound, long keys) {
      Map<String, Long> where = Map.of("keys", keys);
      return Goal.each(
          ASKED,
          (operation, i) ->
              Goal.atLeast(
                  bound,
                  results.find(TextKeys.class, operation, Contender.GUAVA, where),
                  results.find(TextKeys.class, operation, contender, where)));
    }

    private Target garbage() {
      long keys = largest(TextKeys.class, "keys", 10_000_000);
      return new Target(
          "bytes allocated by hit / miss, addresses, " + Markdown.keys(keys),
          "nothing",
          garbage(Contender.TAMIS, keys),
          garbage(Contender.TAMIS_SIMD, keys));
    }

    private List<Goal> garbage(Contender contender, long keys) {
      Map<String, Long> where = Map.of("keys", keys);
      return Goal.each(
          ASKED,
          (operation, i) ->
              Goal.noBytes(results.find(TextKeys.class, operation, contender, where)));
    }

    private Target concurrent(long keys) {
      return new Target(
          "concurrent put / hit / miss, one thread, " + Markdown.keys(keys),
          "plain mode",
          Goal.each(
              ALL,
              (operation, i) ->
                  Goal.atMost(
                      1.5,
                      longs(operation, Contender.TAMIS_CONCURRENT, keys),
                      longs(operation, Contender.TAMIS, keys))),
          List.of());
    }

    private Target twoThreads() {
      long keys = largest(Threads.class, "keys", FAR_OUT_OF_CACHE);
      return new Target(
          "concurrent put / hit / miss, 2 threads, " + Markdown.keys(keys),
          "one thread",
          Goal.each(
              ALL,
              (operation, i) ->
                  Goal.atLeast(1.8, threads(operation, keys, 1), threads(operation, keys, 2))),
          List.of());
    }

    private Optional<Measurement> threads(String operation, long keys, int threads) {
      return results.find(
          Threads.class,
          operation,
          Contender.TAMIS_CONCURRENT,
          Map.of("keys", keys, "threads", threads));
    }

    private Target fuse() {
      return new Target(
          "fuse hit / miss, " + Markdown.keys(FAR_OUT_OF_CACHE),
          "classic layout",
          Goal.each(
              ASKED,
              (operation, i) ->
                  Goal.atLeast(
                      1.6,
                      longs(operation, Contender.TAMIS_CLASSIC, FAR_OUT_OF_CACHE),
                      longs(operation, Contender.TAMIS_FUSE, FAR_OUT_OF_CACHE))),
          List.of());
    }

    private long largest(Class<?> benchmark, String parameter, long otherwise) {
      return results.values(benchmark, parameter).stream()
          .max(Comparator.naturalOrder())
          .orElse(otherwise);
    }
  }
}
