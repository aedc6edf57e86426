package dev.tamis.cli.place;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.report.NumberFormats;
import dev.tamis.cli.report.NumberParser;
import dev.tamis.filter.BloomBuilder;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.BloomFilterBuilder;
import dev.tamis.filter.LineRanges;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.sizing.Layout;
import dev.tamis.sizing.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoubleConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that size a filter, and the filter that they request. */
public final class FilterOptions {

  /** The default fpp of every command that builds a filter, as the help shows it. */
  public static final String DEFAULT_FPP_TEXT = "1e-6";

  public static final double DEFAULT_FPP = Double.parseDouble(DEFAULT_FPP_TEXT);

  /** The initial capacity of a filter that grows if nothing is known. */
  public static final long STARTING_KEYS = 1_000_000;

  /** The share of the heap that the first stage of a filter that grows may take. */
  private static final double STARTING_SHARE = 0.25;

  /** The share that a filter of a guessed size may take. */
  private static final double FIXED_SHARE = 0.5;

  @Option(
      names = {"-n", "--expected-keys"},
      paramLabel = "N",
      description = "Distinct lines expected, such as 1,000,000, 10M or 1e9.")
  private @Nullable Long expectedKeys;

  @Option(
      names = {"-p", "--fpp"},
      paramLabel = "P",
      description =
          "False-positive probability, between 0 and 1 (default: " + DEFAULT_FPP_TEXT + ").")
  private @Nullable Double fpp;

  @Option(
      names = {"-m", "--memory"},
      paramLabel = "SIZE",
      converter = NumberParser.SizeConverter.class,
      description = "Fix the memory, such as 64MiB or 2G, instead of -n or -p.")
  private @Nullable Long memoryBytes;

  public @Nullable Long expectedKeys() {
    return expectedKeys;
  }

  public double fpp() {
    return fpp != null ? fpp : DEFAULT_FPP;
  }

  public boolean hasFpp() {
    return fpp != null;
  }

  public @Nullable Long memoryBytes() {
    return memoryBytes;
  }

  public List<String> sizeOptions() {
    List<String> given = new ArrayList<>();
    if (expectedKeys != null) {
      given.add("-n");
    }
    if (memoryBytes != null) {
      given.add("-m");
    }
    return given;
  }

  public boolean fixSize() {
    return expectedKeys != null || memoryBytes != null;
  }

  public void check() {
    if (expectedKeys != null && fpp != null && memoryBytes != null) {
      throw new CommandException(
          "-n, -p and -m cannot all be given, as any two determine the third; leave one out");
    }
    int least = LineRanges.LINE_BYTES;
    if (memoryBytes != null && memoryBytes < least) {
      throw new CommandException("-m: must be at least %s bytes, got %s", least, memoryBytes);
    }
  }

  /**
   * Returns a filter of fixed size, blocked if {@code layout} is null; {@code guess} is for no -n.
   */
  public BloomFilter<Line> fixed(
      KeyHasher<Line> hasher, @Nullable Layout layout, OptionalLong guess) {
    BloomFilterBuilder<Line> builder = BloomFilter.builder(hasher);
    if (layout != null) {
      builder.layout(layout);
    }
    return size(builder, 1, guess).build();
  }

  /** Returns a filter of fixed size, at most half of the heap if the size is a guess. */
  public BloomFilter<Line> fixedWithinHeap(KeyHasher<Line> hasher, long guess) {
    long most = (long) (FIXED_SHARE * Runtime.getRuntime().maxMemory());
    if (fixSize() || guess * bytesPerKey() <= most) {
      return fixed(hasher, null, OptionalLong.of(guess));
    }
    return BloomFilter.<Line>builder(hasher)
        .bits(Math.min(Layout.MAX_BITS, most * Byte.SIZE))
        .expectedKeys(guess)
        .build();
  }

  private double bytesPerKey() {
    return 1 - Math.log(fpp()) / Byte.SIZE / Math.log(2) / Math.log(2);
  }

  /** Sets the size of a filter with cells of {@code width} bits; {@code guess} is for no -n. */
  public <B extends BloomBuilder<Line, B>> B size(B builder, int width, OptionalLong guess) {
    size(builder::bits, builder::expectedKeys, builder::fpp, width, guess);
    return builder;
  }

  void size(
      LongConsumer bits,
      LongConsumer keys,
      DoubleConsumer probability,
      int width,
      OptionalLong guess) {
    if (memoryBytes != null) {
      bits.accept(memoryBytes * Byte.SIZE / width);
    }
    boolean guessed =
        expectedKeys == null && guess.isPresent() && (memoryBytes == null || fpp == null);
    if (expectedKeys != null) {
      keys.accept(expectedKeys);
    } else if (guessed) {
      keys.accept(guess.getAsLong());
    }
    if (memoryBytes == null || (expectedKeys == null && !guessed)) {
      probability.accept(fpp());
    }
  }

  /** Refuses an existing filter that differs from the options; messages call it {@code holder}. */
  public void requireAgreement(
      Object place, String holder, long itsExpectedKeys, double itsFpp, Shape itsShape) {
    long step = itsShape.layout().granularity(itsShape.hashes());
    requireAgreement(place, holder, itsExpectedKeys, itsFpp, itsShape.bits(), step);
  }

  void requireAgreement(
      Object place, String holder, long itsExpectedKeys, double itsFpp, long itsBits, long step) {
    if (expectedKeys != null && expectedKeys != itsExpectedKeys) {
      throw differs(place, holder, "expected keys", itsExpectedKeys, "-n", expectedKeys);
    }
    requireFpp(place, holder, itsFpp);
    if (memoryBytes != null && memoryBytes * Byte.SIZE / step != itsBits / step) {
      long itsBytes = itsBits / Byte.SIZE;
      throw differs(place, holder, "memory in bytes", itsBytes, "-m", memoryBytes);
    }
  }

  public void requireFpp(Object place, String holder, double itsFpp) {
    if (fpp != null && fpp != itsFpp) {
      throw differs(
          place, holder, "fpp", NumberFormats.number(itsFpp), "-p", NumberFormats.number(fpp));
    }
  }

  private static CommandException differs(
      Object place, String holder, String field, Object found, String option, Object requested) {
    return new CommandException(
        "%s: %s differs: %s has %s, %s requests %s; leave %s out to continue with %s",
        place, field, holder, found, option, requested, option, holder);
  }

  /** Returns a filter that grows; {@code guess} is for no -n. */
  public ScalableBloomFilter<Line> growing(KeyHasher<Line> hasher, OptionalLong guess) {
    double p = fpp();
    if (expectedKeys != null) {
      return ScalableBloomFilter.create(hasher, expectedKeys, p);
    }
    // a guess may be far too high, and must not exhaust the heap
    double most = STARTING_SHARE * Runtime.getRuntime().maxMemory() / bytesPerKey();
    long keys = Math.min(guess.orElse(STARTING_KEYS), (long) most);
    return ScalableBloomFilter.create(hasher, Math.max(1, keys), p);
  }
}
