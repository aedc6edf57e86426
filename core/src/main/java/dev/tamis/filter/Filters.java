package dev.tamis.filter;

import static java.util.Objects.requireNonNull;

import dev.tamis.Filter;
import dev.tamis.FilterFullException;
import dev.tamis.format.FormatException;
import dev.tamis.format.Frame;
import dev.tamis.format.FrameReader;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.interop.ForeignFilters;
import java.io.IOException;
import java.io.InputStream;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Reads filters of any kind. */
public final class Filters {

  private Filters() {}

  /**
   * Reads a filter of any kind but with a window of time; reads nothing past its end. One with
   * another program's bits is a {@link ForeignFilter}.
   *
   * @param in the bytes, untrusted
   * @param hasher must hash as the one that filled the filter, which the bytes cannot tell
   * @param maxBytes the most memory the filter may take, in bytes
   * @throws FormatException if the bytes are not a filter, are damaged, or claim more memory
   * @throws IOException if {@code in} fails
   */
  public static <T> Filter<T> readFrom(InputStream in, KeyHasher<? super T> hasher, long maxBytes)
      throws IOException {
    return read(in, hasher, maxBytes, null);
  }

  /**
   * Reads a filter of any kind, windows of time included. What expired between writing and reading
   * is forgotten.
   *
   * @param clock the clock of a window of time; not used for other filters
   */
  public static <T> Filter<T> readFrom(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes, InstantSource clock)
      throws IOException {
    return read(in, hasher, maxBytes, requireNonNull(clock, "clock"));
  }

  /**
   * Merges the Bloom filter in a stream into {@code filter}, as {@link BloomFilter#putAll} does,
   * without holding it in memory, unless {@code filter} {@linkplain BloomBuilder#refuseWhenFull
   * refuses} more than its expected keys; reads nothing past its end.
   *
   * @param in the bytes that {@link BloomFilter#writeTo} wrote, untrusted
   * @throws IllegalArgumentException if the two are not compatible, naming what differs; nothing
   *     has changed then
   * @throws FilterFullException as {@link BloomFilter#putAll}
   * @throws FormatException if the bytes are not a Bloom filter or are damaged, which may be
   *     detected at their end only. Then {@code filter} still has its keys, but possibly other bits
   *     too: it should be discarded
   * @throws IOException if {@code in} fails, with the same effect
   */
  public static <T> void putAll(BloomFilter<T> filter, InputStream in) throws IOException {
    if (filter.tally().isLimited()) {
      filter.putAll(
          BloomFilter.<T>readFrom(in, filter.hasher().keyHasher(), filter.words().bytes()));
    } else {
      BloomFilterFrame.putAll(in, filter);
    }
  }

  private static <T> Filter<T> read(
      InputStream in, KeyHasher<? super T> hasher, long maxBytes, @Nullable InstantSource clock)
      throws IOException {
    FrameReader reader = new FrameReader(in, maxBytes);
    return switch (reader.kind()) {
      case BLOOM -> BloomFilterFrame.read(reader, hasher);
      case SCALABLE_BLOOM -> ScalableBloomFilterFrame.read(reader, hasher);
      case COUNTING_BLOOM -> CountingBloomFilterFrame.read(reader, hasher);
      case WINDOWED_BLOOM -> WindowedBloomFilterFrame.read(reader, hasher, clock);
      case CUCKOO -> CuckooFilterFrame.read(reader, hasher);
      case FUSE -> FuseFilterFrame.read(reader, hasher);
      case RIBBON -> RibbonFilterFrame.read(reader, hasher);
      case FOREIGN -> ForeignFilters.readFrom(reader, hasher);
      default -> throw reader.invalid(Frame.KIND_AT, "kind", "a filter", reader.kind().label());
    };
  }
}
