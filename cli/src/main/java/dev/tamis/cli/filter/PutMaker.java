package dev.tamis.cli.filter;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.report.Report;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.sizing.Layout;
import dev.tamis.tools.dedup.Deduplicator;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds filters that never refuse a key, by putting every line as it is read. */
final class PutMaker<F extends HashedMutableFilter<Line> & Storable> implements FilterMaker {

  private final F filter;
  private final Function<F, Report> particulars;
  private final Deduplicator<Line> dedup;
  private final CapacityWatch capacity;
  private final boolean[] first = new boolean[LineReader.MAX_LINES];

  private PutMaker(BuildRequest request, F filter, Function<F, Report> particulars) {
    this.filter = filter;
    this.particulars = particulars;
    this.capacity = request.watch(filter);
    this.dedup = Deduplicator.over(filter);
  }

  /**
   * Starts a Bloom filter of fixed size.
   *
   * @param layout where the bits are; null for the blocked layout that fits the fpp
   */
  static FilterMaker bloom(BuildRequest request, @Nullable Layout layout) throws IOException {
    return new PutMaker<>(
        request,
        request.sizing().fixed(request.hasher(), layout, request.countedLines()),
        filter -> new Report());
  }

  static FilterMaker scalable(BuildRequest request) throws IOException {
    request.refuseMemory("leave it out");
    FilterOptions sizing = request.sizing();
    OptionalLong guess =
        sizing.expectedKeys() != null ? OptionalLong.empty() : request.inputs().estimatedLines();
    return new PutMaker<>(request, sizing.growing(request.hasher(), guess), filter -> new Report());
  }

  /** Starts a counting Bloom filter, in which every line is one put. */
  static FilterMaker counting(BuildRequest request) throws IOException {
    return new PutMaker<>(
        request,
        request
            .sizing()
            .size(
                CountingBloomFilter.builder(request.hasher()),
                CountingBloomFilter.DEFAULT_COUNTER_BITS,
                request.countedLines())
            .build(),
        filter -> new Report().count("saturated-counters", filter.saturatedCounters()));
  }

  static FilterMaker windowed(BuildRequest request) {
    request.refuseMemory("it follows from -n and -p, leave it out");
    Long window = request.sizing().expectedKeys();
    if (window == null) {
      throw new CommandException(
          "-n is required for a windowed filter; give the number of lines it remembers");
    }
    return new PutMaker<>(
        request,
        WindowedBloomFilter.<Line>builder(request.hasher())
            .window(window)
            .fpp(request.sizing().fpp())
            .build(),
        filter -> new Report().count("window", filter.sizing().expectedKeys()));
  }

  @Override
  public void take(LineReader reader, int count) {
    dedup.firstSeenHashes(reader.hashes(), count, first);
    capacity.accepted(dedup.unique());
  }

  @Override
  public BuildResult finish() {
    return BuildResult.of(
        filter, dedup.seen(), dedup.unique(), particulars.apply(filter), capacity);
  }
}
