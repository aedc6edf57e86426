package dev.tamis.bench.speed;

import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.bench.Member;
import dev.tamis.filter.FilterView;
import dev.tamis.filter.Filters;
import dev.tamis.hash.KeyHasher;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;

/**
 * Prints the time to open a filter's file and the time of one query, loaded and mapped, as a table
 * in Markdown.
 *
 * <pre>
 * java -Xmx4g -cp bench/target/benchmarks.jar dev.tamis.bench.speed.Mapped [KEYS [FILTER...]]
 * </pre>
 *
 * <p>KEYS random hashes at 1 %, 1.6e8 by default, which are some 200 MB; split, line, classic and
 * fuse by default. Half of the queried keys are present. Rounds alternate, and the least is
 * printed. The file is in the system's page cache: of a disk nothing is measured.
 */
public final class Mapped {

  private static final double FPP = 0.01;
  private static final int ASKED = 1 << 20;
  private static final int ROUNDS = 15;
  private static final int WARM_UP = 5;
  private static final double NANOS_PER_MILLI = 1e6;

  private static long sink;

  private Mapped() {}

  /** Prints the table. */
  public static void main(String[] args) throws Exception {
    int keys = args.length > 0 ? Integer.parseInt(args[0]) : 160_000_000;
    List<String> filters =
        args.length > 1
            ? List.of(args).subList(1, args.length)
            : List.of("split", "line", "classic", "fuse");
    System.out.println(
        "| filter | MB | ms to read in | ms to map | ms to map and verify | ns a question, read in"
            + " | mapped |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|");
    for (String filter : filters) {
      Path file = Files.createTempFile("mapped", ".tamis");
      try {
        write(Member.named(filter), keys, file);
        row(filter, keys, file);
      } finally {
        Files.delete(file);
      }
    }
    if (sink == 1) { // never, but the compiler cannot know
      System.out.println();
    }
  }

  private static void row(String filter, int keys, Path file) throws Exception {
    double[][] nanos = new double[5][ROUNDS];
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      int at = Math.max(0, round);
      nanos[0][at] = time(() -> read(file).bitSize());
      nanos[1][at] = time(() -> map(file).bitSize());
      nanos[2][at] = time(() -> verified(file).bitSize());
    }
    HashedFilter<Long> read = read(file);
    FilterView<Long> mapped = map(file);
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      int at = Math.max(0, round);
      long[] asked = asked(keys, round);
      nanos[3][at] = time(() -> countRead(read, asked)) / ASKED;
      long[] others = asked(keys, round + ROUNDS);
      nanos[4][at] = time(() -> countMapped(mapped, others)) / ASKED;
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.2f | %.0f | %.1f | %.1f |%n",
        filter,
        Files.size(file) / 1e6,
        least(nanos[0]) / NANOS_PER_MILLI,
        least(nanos[1]) / NANOS_PER_MILLI,
        least(nanos[2]) / NANOS_PER_MILLI,
        least(nanos[3]),
        least(nanos[4]));
  }

  private static void write(Member member, int keys, Path file) throws IOException {
    HashedFilter<Long> full = member.full(keys, FPP, new SplittableRandom(1)::nextLong);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      ((Storable) full).writeTo(out);
    }
  }

  /** Returns others in each round, so that no cache knows them. */
  private static long[] asked(int keys, int round) {
    SplittableRandom absent = new SplittableRandom(1_000 + round);
    SplittableRandom present = new SplittableRandom(1);
    long[] asked = new long[ASKED];
    int skipped = (round + WARM_UP) * ASKED / 2 % Math.max(1, keys - ASKED);
    for (int i = 0; i < skipped; i++) {
      present.nextLong();
    }
    for (int i = 0; i < ASKED; i++) {
      asked[i] = absent.nextInt(2) == 0 ? present.nextLong() : absent.nextLong();
    }
    return asked;
  }

  // two loops, so that each is compiled for the one filter it queries

  private static long countRead(HashedFilter<Long> filter, long[] asked) {
    long count = 0;
    for (long hash : asked) {
      count += filter.mightContainHash(hash) ? 1 : 0;
    }
    return count;
  }

  private static long countMapped(FilterView<Long> filter, long[] asked) {
    long count = 0;
    for (long hash : asked) {
      count += filter.mightContainHash(hash) ? 1 : 0;
    }
    return count;
  }

  private static double time(Callable<Long> action) throws Exception {
    long start = System.nanoTime();
    sink += action.call();
    return System.nanoTime() - start;
  }

  private static double least(double[] values) {
    return Arrays.stream(values).min().orElseThrow();
  }

  private static HashedFilter<Long> read(Path path) throws IOException {
    try (InputStream in = Files.newInputStream(path)) {
      return (HashedFilter<Long>) Filters.readFrom(in, KeyHasher.longs(), Files.size(path));
    }
  }

  private static FilterView<Long> map(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
      return FilterView.of(List.of(bytes), KeyHasher.longs());
    }
  }

  private static FilterView<Long> verified(Path path) throws IOException {
    FilterView<Long> view = map(path);
    view.verifyChecksum();
    return view;
  }
}
