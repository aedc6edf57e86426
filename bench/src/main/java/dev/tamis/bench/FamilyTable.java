package dev.tamis.bench;

import dev.tamis.HashedFilter;
import dev.tamis.HashedMutableFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Prints bits per key and the measured fpp of every filter and layout, as a table in Markdown.
 *
 * <pre>
 * java -Xmx4g -cp bench/target/benchmarks.jar dev.tamis.bench.FamilyTable [KEYS [ABSENT]]
 * </pre>
 *
 * <p>Sequential longs are put, KEYS of them, a million by default. Then at least ABSENT others are
 * queried, a million by default, and as many as give 400 wrong answers, which makes the measured
 * fpp good to 5 %. Bits per key are all memory divided by the keys that are in, or by the window.
 * The windowed filter has seen 100 windows; the scalable one is measured twice, at KEYS and when
 * the stage it has then is full.
 */
public final class FamilyTable {

  private static final double[] FPPS = {0.01, 0.001, 0.0001};
  private static final double WRONG_ANSWERS = 400;
  private static final int WINDOWS = 100;

  /** Where the keys begin that are queried and are in no filter. */
  private static final long FIRST_ABSENT = 1L << 40;

  /** Knows the hash of a key before there is a filter: without a seed all of them have the same. */
  private static final BloomFilter<Long> HASHING = BloomFilter.create(KeyHasher.longs(), 1, 0.5);

  private final long keys;
  private final double fpp;
  private final long absent;

  private FamilyTable(long keys, double fpp, long absent) {
    this.keys = keys;
    this.fpp = fpp;
    this.absent = absent;
  }

  /** Prints the table. */
  public static void main(String[] args) {
    long keys = args.length > 0 ? Long.parseLong(args[0]) : 1_000_000;
    long absent = args.length > 1 ? Long.parseLong(args[1]) : 1_000_000;
    System.out.println(
        "| filter | keys | bits per key | asked for | measured | expectedFpp() | absent keys |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|");
    for (double fpp : FPPS) {
      long enough = Math.max(absent, (long) Math.ceil(WRONG_ANSWERS / fpp));
      FamilyTable table = new FamilyTable(keys, fpp, enough);
      for (Member member : Member.values()) {
        if (member != Member.DEFAULT) { // is one of the layouts, which have a row each
          table.measure(member);
        }
      }
    }
  }

  private void measure(Member member) {
    Keys hashes = new Keys(0);
    if (member == Member.WINDOWED) {
      HashedMutableFilter<Long> filter = member.empty(keys, fpp);
      put(filter, WINDOWS * keys, hashes);
      row(member.label() + ", " + WINDOWS + " windows", filter, keys);
    } else if (member == Member.SCALABLE) {
      ScalableBloomFilter<Long> filter = (ScalableBloomFilter<Long>) member.full(keys, fpp, hashes);
      row(member.label(), filter, keys);
      BloomFilter<Long> newest = filter.stages().get(filter.stages().size() - 1);
      while (newest.acceptedKeys() < newest.expectedKeys()) {
        put(filter, newest.expectedKeys() - newest.acceptedKeys(), hashes);
      }
      row(member.label() + ", stage full", filter, hashes.next);
    } else {
      row(member.label(), member.full(keys, fpp, hashes), keys);
    }
  }

  private static void put(HashedMutableFilter<Long> filter, long count, LongSupplier hashes) {
    for (long i = 0; i < count; i++) {
      boolean unused = filter.putHash(hashes.getAsLong());
    }
  }

  private void row(String name, HashedFilter<Long> filter, long held) {
    Keys hashes = new Keys(FIRST_ABSENT);
    long wrong = 0;
    for (long i = 0; i < absent; i++) {
      if (filter.mightContainHash(hashes.getAsLong())) {
        wrong++;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %d | %.2f | %s %% | %.5f %% | %.5f %% | %d |%n",
        name,
        held,
        (double) filter.bitSize() / held,
        100 * fpp,
        100.0 * wrong / absent,
        100 * filter.expectedFpp(),
        absent);
  }

  /** The hashes of sequential longs. */
  private static final class Keys implements LongSupplier {
    private long next;

    Keys(long first) {
      this.next = first;
    }

    @Override
    public long getAsLong() {
      return HASHING.hashOf(next++);
    }
  }
}
