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
 * java -cp bench/target/benchmarks.jar dev.tamis.bench.StaticBuild [KEYS [FILTER...]]
 * </pre>
 *
 * <p>KEYS random hashes, 1e8 unless told otherwise, go into each FILTER, all three of fuse, fuse4
 * and ribbon unless told otherwise: the fuse filters with fingerprints of 8 bits, ribbon at 1 %.
 * Each build has a JVM of its own, so the compiler's work is in the times, and a put includes
 * drawing the hash, about a nanosecond. Then a million keys and a million others are asked for.
 *
 * <p>"Heap" is the least {@code -Xmx} with which a JVM comes through the build, divided by the keys
 * and found by bisection to 3 %: what its user has to provide, with the collector's needs and the
 * JVM's own. A heap that makes the build take five times as long does not count as enough.
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
  private static final int NOT_ENOUGH_HEAP = 3;

  private StaticBuild() {}

  /** Prints the table, or the row of one filter when called so by itself. */
  public static void main(String[] args) throws IOException, InterruptedException {
    if (args.length > 0 && args[0].equals(CHILD)) {
      buildHere(Member.named(args[1]), Long.parseLong(args[2]));
      return;
    }
    long keys = args.length > 0 ? Long.parseLong(args[0]) : 100_000_000;
    List<String> filters =
        args.length > 1
            ? List.of(args).subList(1, args.length)
            : List.of(Member.FUSE.label(), Member.FUSE4.label(), Member.RIBBON.label());
    System.out.println(
        "| filter | keys | ns a put | ns a key to build | keys/s in all | bits a key | denied"
            + " | measured | expectedFpp() | heap, bytes a key |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (String filter : filters) {
      System.out.println(row(filter, keys));
    }
  }

  private static String row(String filter, long keys) throws IOException, InterruptedException {
    long ample = AMPLE_BYTES + AMPLE_BYTES_PER_KEY * keys;
    long start = System.nanoTime();
    Child first = new Child(filter, keys, ample, Long.MAX_VALUE);
    if (first.status != 0) {
      throw new IllegalStateException(filter + " failed with status " + first.status);
    }
    long mostNanos = MAX_SLOWDOWN * (System.nanoTime() - start);
    long enough = ample;
    long tooLittle = MIN_BYTES;
    while (enough > PRECISION * tooLittle) {
      long middle = (long) Math.sqrt((double) enough * tooLittle);
      Child child = new Child(filter, keys, middle, mostNanos);
      if (child.status == 0) {
        enough = middle;
      } else if (child.status == NOT_ENOUGH_HEAP) {
        tooLittle = middle;
      } else {
        throw new IllegalStateException(filter + " failed with status " + child.status);
      }
    }
    return String.format(Locale.ROOT, "%s %.1f |", first.output, (double) enough / keys);
  }

  private static void buildHere(Member member, long keys) {
    try {
      System.out.print(measured(member, keys));
    } catch (OutOfMemoryError | IllegalArgumentException e) { // the latter from the heap's check
      System.err.println(e.getMessage());
      System.exit(NOT_ENOUGH_HEAP);
    }
  }

  private static String measured(Member member, long keys) {
    double fpp = member == Member.RIBBON ? RIBBON_FPP : FUSE_FPP;
    StaticFilterBuilder<Long, ?, ?> builder = member.builder(fpp);
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
        "| %s | %d | %.1f | %.1f | %.2e | %.3f | %d | %.4f %% | %.4f %% |",
        member.label(),
        keys,
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

    Child(String filter, long keys, long heapBytes, long mostNanos)
        throws IOException, InterruptedException {
      Process process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx" + (heapBytes >> 10) + "k",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StaticBuild.class.getName(),
                  CHILD,
                  filter,
                  Long.toString(keys))
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
