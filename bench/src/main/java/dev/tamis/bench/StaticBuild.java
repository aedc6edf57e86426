package dev.tamis.bench;

import dev.tamis.HashedFilter;
import dev.tamis.filter.StaticFilterBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Prints time and memory of building the static filters, as a table in Markdown.
 *
 * <pre>
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.StaticBuild [--heap] [KEYS [THREADS [FILTER...]]]
 * </pre>
 *
 * <p>KEYS random hashes, 1e8 by default, go into each FILTER, all three of fuse, fuse4 and ribbon
 * by default: the fuse filters with fingerprints of 8 bits, ribbon at 1 %. At most THREADS build,
 * one per processor by default. Each build has a JVM of its own, with this one's heap or 64 bytes
 * per key, so the compiler's work is in the times, and a put includes drawing the hash, about a
 * nanosecond. Then a million keys and a million others are queried.
 *
 * <p>"Heap", with {@code --heap}, is the least {@code -Xmx} with which a JVM comes through the
 * build, divided by the keys and found by bisection to 3 %: what its user has to provide, with the
 * collector's needs and the JVM's own. A heap that makes the build take five times as long does not
 * count as enough.
 */
public final class StaticBuild {

  private static final double FUSE_FPP = 1.0 / 256;
  private static final double RIBBON_FPP = 0.01;
  private static final int SAMPLE = 1_000_000;

  /** A heap in which the time is measured: several times what the builders say they need. */
  private static final int AMPLE_BYTES_PER_KEY = 64;

  private static final long AMPLE_BYTES = 256L << 20;
  private static final long MIN_BYTES = 4L << 20;
  private static final double PRECISION = 1.03;
  private static final int MAX_SLOWDOWN = 5;
  private static final String CHILD = "--one";
  private static final String HEAP = "--heap";
  private static final int NOT_ENOUGH_HEAP = 3;

  private StaticBuild() {}

  /** Prints the table, or the row of one filter when called so by itself. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0 && args[0].equals(CHILD)) {
      buildHere(Member.named(args[1]), Long.parseLong(args[2]), Integer.parseInt(args[3]));
      return;
    }
    boolean heap = args.length > 0 && args[0].equals(HEAP);
    List<String> given = List.of(args).subList(heap ? 1 : 0, args.length);
    long keys = given.isEmpty() ? 100_000_000 : (long) Double.parseDouble(given.get(0));
    int threads =
        given.size() > 1
            ? Integer.parseInt(given.get(1))
            : Runtime.getRuntime().availableProcessors();
    List<String> filters =
        given.size() > 2
            ? given.subList(2, given.size())
            : List.of(Member.FUSE.label(), Member.FUSE4.label(), Member.RIBBON.label());
    System.out.println(
        "| filter | keys | threads | ns per put | ns per key to build | keys/s in all | bits per"
            + " key | denied | measured | expectedFpp() |"
            + (heap ? " heap, bytes per key |" : ""));
    System.out.println(
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|" + (heap ? "---:|" : ""));
    for (String filter : filters) {
      Build build = new Build(filter, keys, threads);
      System.out.println(heap ? build.rowWithHeap() : build.row());
    }
  }

  /** What a child builds. */
  private record Build(String filter, long keys, int threads) {

    String row() throws IOException, InterruptedException {
      return child(ampleBytes(), Long.MAX_VALUE).output;
    }

    String rowWithHeap() throws IOException, InterruptedException {
      long start = System.nanoTime();
      String row = row();
      long mostNanos = MAX_SLOWDOWN * (System.nanoTime() - start);
      long enough = ampleBytes();
      long tooLittle = MIN_BYTES;
      while (enough > PRECISION * tooLittle) {
        long middle = (long) Math.sqrt((double) enough * tooLittle);
        if (child(middle, mostNanos).status == 0) {
          enough = middle;
        } else {
          tooLittle = middle;
        }
      }
      return String.format(Locale.ROOT, "%s %.1f |", row, (double) enough / keys);
    }

    private long ampleBytes() {
      long ample = AMPLE_BYTES + AMPLE_BYTES_PER_KEY * keys;
      return Math.min(ample, Runtime.getRuntime().maxMemory());
    }

    private Child child(long heapBytes, long mostNanos) throws IOException, InterruptedException {
      Child child = new Child(this, heapBytes, mostNanos);
      boolean mayFail = mostNanos != Long.MAX_VALUE && child.status == NOT_ENOUGH_HEAP;
      if (child.status != 0 && !mayFail) {
        throw new IllegalStateException(filter + " failed with status " + child.status);
      }
      return child;
    }
  }

  private static void buildHere(Member member, long keys, int threads) {
    try {
      System.out.print(measured(member, keys, threads));
    } catch (OutOfMemoryError | IllegalArgumentException e) { // the latter from the heap's check
      System.err.println(e.getMessage());
      System.exit(NOT_ENOUGH_HEAP);
    }
  }

  private static String measured(Member member, long keys, int threads) {
    double fpp = member == Member.RIBBON ? RIBBON_FPP : FUSE_FPP;
    StaticFilterBuilder<Long, ?, ?> builder = member.builder(fpp).threads(threads);
    SplittableRandom random = new SplittableRandom(1);
    long start = System.nanoTime();
    for (long i = 0; i < keys; i++) {
      builder.putHash(random.nextLong());
    }
    long put = System.nanoTime();
    HashedFilter<Long> filter = builder.build();
    long built = System.nanoTime();
    return String.format(
        Locale.ROOT,
        "| %s | %d | %d | %.1f | %.1f | %.2e | %.3f | %d | %.4f %% | %.4f %% |",
        member.label(),
        keys,
        threads,
        (double) (put - start) / keys,
        (double) (built - put) / keys,
        1e9 * keys / (built - start),
        (double) filter.bitSize() / keys,
        denied(filter, keys),
        100.0 * wrong(filter) / SAMPLE,
        100 * filter.expectedFpp());
  }

  /** Returns how many of a million keys, evenly spread over all, are denied. */
  private static long denied(HashedFilter<Long> filter, long keys) {
    SplittableRandom random = new SplittableRandom(1);
    long step = Math.max(1, keys / SAMPLE);
    long denied = 0;
    for (long i = 0; i < keys; i++) {
      long hash = random.nextLong();
      if (i % step == 0 && !filter.mightContainHash(hash)) {
        denied++;
      }
    }
    return denied;
  }

  private static long wrong(HashedFilter<Long> filter) {
    SplittableRandom random = new SplittableRandom(2);
    long wrong = 0;
    for (int i = 0; i < SAMPLE; i++) {
      if (filter.mightContainHash(random.nextLong())) {
        wrong++;
      }
    }
    return wrong;
  }

  /** A JVM that built one filter and ended. */
  private static final class Child {
    private final int status;
    private final String output;

    Child(Build build, long heapBytes, long mostNanos) throws IOException, InterruptedException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx" + (heapBytes >> 10) + "k",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StaticBuild.class.getName(),
                  CHILD,
                  build.filter,
                  Long.toString(build.keys),
                  Integer.toString(build.threads))
              .redirectError(
                  mostNanos == Long.MAX_VALUE
                      ? ProcessBuilder.Redirect.INHERIT
                      : ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean inTime = process.waitFor(mostNanos, TimeUnit.NANOSECONDS);
      if (!inTime) {
        process.destroyForcibly();
      }
      output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      status = inTime ? process.exitValue() : NOT_ENOUGH_HEAP;
    }
  }
}
