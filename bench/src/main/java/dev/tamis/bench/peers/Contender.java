package dev.tamis.bench.peers;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;

/** A filter that takes part in the comparison: what it is called, and how to make it. */
public enum Contender {
  /** The default filter of Tamis, which is thread-safe, with keys of a type. */
  TAMIS(takes(TamisPeer::longs), text(TamisPeer::text)),

  /** The same for one thread. */
  TAMIS_SINGLE(takes(TamisPeer::single), noText()),

  /** The default filter by 64-bit hashes, as the keys are. */
  TAMIS_HASH(takes(TamisPeer::hashes), noText()),

  /** The same for one thread. */
  TAMIS_SINGLE_HASH(takes(TamisPeer::singleHashes), noText()),

  /** The default filter in a JVM that has the Vector API. */
  TAMIS_SIMD(takes(TamisPeer::longs), text(TamisPeer::text)),

  /** The same for one thread. */
  TAMIS_SINGLE_SIMD(takes(TamisPeer::single), noText()),

  /** The default filter by 64-bit hashes, in such a JVM. */
  TAMIS_HASH_SIMD(takes(TamisPeer::hashes), noText()),

  /** The same for one thread. */
  TAMIS_SINGLE_HASH_SIMD(takes(TamisPeer::singleHashes), noText()),

  /** The default filter with lists of text. */
  TAMIS_BULK(noLongs(), text(TamisPeer::bulkText)),

  /** The same in a JVM that has the Vector API. */
  TAMIS_BULK_SIMD(noLongs(), text(TamisPeer::bulkText)),

  /** The default filter for one false positive in a million, which keeps a key in two lines. */
  TAMIS_1E6(takes(TamisPeer::rare), noText()),

  /** The same in a JVM that has the Vector API. */
  TAMIS_1E6_SIMD(takes(TamisPeer::rare), noText()),

  TAMIS_CLASSIC(takes(TamisPeer::classic), text(TamisPeer::classicText)),

  TAMIS_CUCKOO(takes(TamisPeer::cuckoo), noText()),

  TAMIS_COUNTING(takes(TamisPeer::counting), noText()),

  /** The fuse filter of Tamis, with fingerprints of 8 bits. */
  TAMIS_FUSE(built(TamisPeer::fuse), noText()),

  GUAVA(takes(GuavaPeer::longs), text(GuavaPeer::text)),

  /** Guava's filter for one false positive in a million. */
  GUAVA_1E6(takes(GuavaPeer::rare), noText()),

  SPARK(takes(SparkPeer::of), text(SparkPeer::of)),

  DATASKETCHES(takes(DataSketchesPeer::of), text(DataSketchesPeer::of)),

  FASTFILTER_BLOOM(takes(FastFilterPeer::bloom), text(FastFilterPeer::bloom)),

  FASTFILTER_BLOCKED(takes(FastFilterPeer::blocked), text(FastFilterPeer::blocked)),

  FASTFILTER_COUNTING(built(FastFilterPeer::counting), noText()),

  /** FastFilter's xor filter, with fingerprints of 8 bits. */
  FASTFILTER_XOR8(built(FastFilterPeer::xor8), noText()),

  /** FastFilter's cuckoo filter, with fingerprints of 8 bits. */
  FASTFILTER_CUCKOO8(built(FastFilterPeer::cuckoo8), noText()),

  COMMONS(takes(CommonsPeer::of), text(CommonsPeer::of)),

  ORESTES(takes(OrestesPeer::of), text(OrestesPeer::of)),

  STREAM_LIB(noLongs(), text(StreamLibPeer::of)),

  CUCKOOFILTER4J(takes(CuckooFilter4jPeer::longs), text(CuckooFilter4jPeer::text)),

  PARQUET(takes(ParquetPeer::of), text(ParquetPeer::of)),

  HADOOP(noLongs(), text(HadoopPeer::of));

  /** The fpp that they are made for, unless fingerprints of whole bits or their names decide it. */
  public static final double FPP = 0.01;

  /** The fpp of those that are named for it, {@code tamis dedup}'s default. */
  static final double RARE_FPP = 1e-6;

  private static final String VECTOR_MODULE = "jdk.incubator.vector";

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method
  private final Optional<LongMaker> longs;

  @SuppressWarnings("ImmutableEnumChecker") // a reference to a static method
  private final Optional<IntFunction<TakesText>> text;

  Contender(Optional<LongMaker> longs, Optional<IntFunction<TakesText>> text) {
    this.longs = longs;
    this.text = text;
  }

  /** Returns the contender that is called so on the command line. */
  public static Contender named(String id) {
    return Arrays.stream(values())
        .filter(contender -> contender.id().equals(id))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no contender is called " + id + ": " + ids()));
  }

  private static List<String> ids() {
    return Arrays.stream(values()).map(Contender::id).toList();
  }

  /** Returns its name on the command line and in results. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private boolean needsVectors() {
    return name().endsWith("_SIMD");
  }

  /** Returns whether it knows longs. */
  public boolean hasLongs() {
    return longs.isPresent();
  }

  /** Returns whether it takes longs one by one, and need not have all when it is built. */
  public boolean takesLongs() {
    return longs.filter(Empty.class::isInstance).isPresent();
  }

  /** Returns whether it knows text. */
  public boolean hasText() {
    return text.isPresent();
  }

  /**
   * Checks that this JVM is one for this contender.
   *
   * @throws IllegalStateException if ours would run with the Vector API though it should not, or
   *     the other way round
   */
  public void requireItsJvm() {
    boolean simd = ModuleLayer.boot().findModule(VECTOR_MODULE).isPresent();
    if (name().startsWith("TAMIS") && simd != needsVectors()) {
      throw new IllegalStateException(
          id() + " must run " + (simd ? "without" : "with") + " --add-modules " + VECTOR_MODULE);
    }
  }

  /**
   * Gets everything ready to fill a filter with {@code keys} longs, so that filling is all left.
   */
  public Filling startLongs(int keys) {
    LongMaker maker = longs.orElseThrow(() -> new IllegalStateException(id() + " has no longs"));
    if (maker instanceof Empty empty) {
      TakesLongs filter = empty.make().apply(keys);
      return all -> {
        LongLoops.putAll(filter, all);
        return filter;
      };
    }
    return ((Whole) maker).build()::apply;
  }

  /** Returns an empty filter for {@code keys} longs. */
  public TakesLongs emptyLongs(int keys) {
    if (longs.isPresent() && longs.get() instanceof Empty empty) {
      return empty.make().apply(keys);
    }
    throw new IllegalStateException(id() + " takes no longs one by one");
  }

  /** Returns an empty filter for {@code keys} texts. */
  public TakesText emptyText(int keys) {
    return text.orElseThrow(() -> new IllegalStateException(id() + " has no text")).apply(keys);
  }

  private static Optional<LongMaker> takes(IntFunction<TakesLongs> make) {
    return Optional.of(new Empty(make));
  }

  private static Optional<LongMaker> built(Function<long[], AsksLongs> build) {
    return Optional.of(new Whole(build));
  }

  private static Optional<LongMaker> noLongs() {
    return Optional.empty();
  }

  private static Optional<IntFunction<TakesText>> text(IntFunction<TakesText> make) {
    return Optional.of(make);
  }

  private static Optional<IntFunction<TakesText>> noText() {
    return Optional.empty();
  }

  /** The last step on the way to a full filter, and the one that is timed. */
  @FunctionalInterface
  public interface Filling {

    /** Fills the filter with {@code keys} and returns it. */
    AsksLongs fill(long[] keys);
  }

  private sealed interface LongMaker {}

  private record Empty(IntFunction<TakesLongs> make) implements LongMaker {}

  private record Whole(Function<long[], AsksLongs> build) implements LongMaker {}
}
