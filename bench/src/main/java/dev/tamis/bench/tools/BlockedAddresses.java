package dev.tamis.bench.tools;

import dev.tamis.blocklist.Blocklist;
import dev.tamis.blocklist.BlocklistBuilder;
import dev.tamis.hash.HashFunction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Prints what a block list of many addresses costs beside hash sets, as a table in Markdown.
 *
 * <pre>
 * java -Xmx4g -cp bench/target/benchmarks.jar dev.tamis.bench.tools.BlockedAddresses [N [FPP]]
 * </pre>
 *
 * <p>N made addresses of about 25 characters, 1e6 unless told otherwise, on one list, at an FPP of
 * 0.01 unless told otherwise. Beside it the table that is usually compared with: 64-bit hashes,
 * half of the places free, 16 bytes an address; and a set of strings, which is filled with two
 * million at most: for more its memory is that of one string times N, and its times are not those
 * of a larger one. "Heap" is what is in use after a collection that was not before. A million
 * addresses on the list and a million others are asked for; making an address is in the times of
 * all.
 */
public final class BlockedAddresses {

  private static final int ASKED = 1_000_000;
  private static final long MAX_STRINGS = 2_000_000;
  private static final int PLACES_OF_ADDRESS = 2;

  private BlockedAddresses() {}

  /** Prints the table. */
  public static void main(String[] args) throws IOException {
    long count = args.length > 0 ? (long) Double.parseDouble(args[0]) : 1_000_000;
    double fpp = args.length > 1 ? Double.parseDouble(args[1]) : 0.01;
    System.out.println(
        "| set | addresses | s to build | ns an address | heap, MB | bytes an address | file, MB |"
            + " ns listed | ns unlisted | missed | wrong |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    System.out.println(blocklist(count, fpp, false));
    System.out.println(blocklist(count, fpp, true));
    System.out.println(hashes(count));
    System.out.println(strings(count));
  }

  private static String blocklist(long count, double fpp, boolean exact) throws IOException {
    long before = heap();
    long start = System.nanoTime();
    Path file = Files.createTempFile("addresses", ".block");
    build(count, fpp, exact, file);
    long nanos = System.nanoTime() - start;
    Blocklist blocklist = Blocklist.load(file);
    Row row = new Row("block list" + (exact ? ", exact" : ""), count, count, nanos);
    row.heap = heap() - before;
    row.file = Files.size(file);
    String text = row.text(address -> blocklist.check(address).isBlocked());
    Files.delete(file);
    return text;
  }

  private static void build(long count, double fpp, boolean exact, Path file) throws IOException {
    BlocklistBuilder builder = Blocklist.builder().fpp(fpp);
    if (exact) {
      builder.exact();
    }
    for (long i = 0; i < count; i++) {
      builder.block("spam", address(i));
    }
    builder.build().blocklist().save(file);
  }

  private static String hashes(long count) {
    long before = heap();
    long start = System.nanoTime();
    HashTable table = new HashTable(count);
    for (long i = 0; i < count; i++) {
      table.put(address(i));
    }
    Row row = new Row("64-bit hashes, half full", count, count, System.nanoTime() - start);
    row.heap = heap() - before;
    return row.text(table::contains);
  }

  private static String strings(long count) {
    long some = Math.min(count, MAX_STRINGS);
    long before = heap();
    long start = System.nanoTime();
    Set<String> set = new HashSet<>();
    for (long i = 0; i < some; i++) {
      set.add(address(i));
    }
    Row row = new Row("HashSet of strings", some, count, System.nanoTime() - start);
    row.heap = heap() - before;
    return row.text(set::contains);
  }

  /** Returns an address that looks like any other, the same for the same number. */
  private static String address(long number) {
    long mixed = number * 0x9E37_79B9_7F4A_7C15L;
    return "user"
        + Long.toString(mixed >>> 12, Character.MAX_RADIX)
        + "@mail"
        + (mixed >>> 54)
        + ".example";
  }

  private static long heap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  /** What is to be printed of one set. */
  private static final class Row {
    private final String name;
    private final long count;
    private final long wanted;
    private final long nanos;
    private long heap;
    private long file;

    Row(String name, long count, long wanted, long nanos) {
      this.name = name;
      this.count = count;
      this.wanted = wanted;
      this.nanos = nanos;
    }

    String text(Predicate<String> set) {
      ask(set, 0); // so that the compiler has seen it
      long start = System.nanoTime();
      long found = ask(set, 0);
      long middle = System.nanoTime();
      long wrong = ask(set, wanted);
      long end = System.nanoTime();
      double bytes = (double) heap / count;
      return String.format(
          Locale.ROOT,
          "| %s | %d%s | %.2f | %.0f | %.1f%s | %.2f | %.1f | %.0f | %.0f | %d | %.3f %% |",
          name,
          count,
          count < wanted ? " of " + wanted : "",
          nanos / 1e9,
          (double) nanos / count,
          bytes * wanted / 1e6,
          count < wanted ? " computed" : "",
          bytes,
          file / 1e6,
          (double) (middle - start) / ASKED,
          (double) (end - middle) / ASKED,
          ASKED - found,
          100.0 * wrong / ASKED);
    }

    /** Asks for addresses evenly spread over those on the list, or for others. */
    private long ask(Predicate<String> set, long first) {
      long found = 0;
      for (long i = 0; i < ASKED; i++) {
        long number = first == 0 ? (long) ((double) i / ASKED * count) : first + i;
        if (set.test(address(number))) {
          found++;
        }
      }
      return found;
    }
  }

  /** Hashes of 64 bits in an open table. */
  private static final class HashTable {
    private static final HashFunction HASH = HashFunction.xxh3(0);

    private final long[] places;

    HashTable(long addresses) {
      places = new long[Math.toIntExact(PLACES_OF_ADDRESS * addresses)];
    }

    void put(String address) {
      long hash = HASH.hashText(address);
      places[place(hash)] = hash;
    }

    boolean contains(String address) {
      long hash = HASH.hashText(address);
      return places[place(hash)] == hash;
    }

    /** Returns where the hash is or could be; zero marks free places, which one hash in 2^64 is. */
    private int place(long hash) {
      int place = (int) (((hash >>> Integer.SIZE) * places.length) >>> Integer.SIZE);
      while (places[place] != 0 && places[place] != hash) {
        place = place + 1 < places.length ? place + 1 : 0;
      }
      return place;
    }
  }
}
