package dev.tamis.cli.filter;

import dev.tamis.Filter;
import dev.tamis.FilterFullException;
import dev.tamis.HashedMutableFilter;
import dev.tamis.Sized.Capacity;
import dev.tamis.Storable;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.place.FilterOptions;
import dev.tamis.cli.report.Report;
import dev.tamis.filter.CountingBloomFilter;
import dev.tamis.filter.CuckooFilter;
import dev.tamis.filter.WindowedBloomFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.sizing.Layout;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Builds a filter by putting every line as it is read. */
final class PutMaker<F extends Filter<Line> & Storable> implements FilterMaker {

  private static final String NO_MEMORY = "it follows from -n and -p, leave it out";

  private final F filter;
  private final CapacityWatch capacity;
  private final Puts puts;
  private final Function<F, Report> particulars;
  private long before;
  private long lines;
  private long unique;

  private PutMaker(F filter, CapacityWatch capacity, Puts puts, Function<F, Report> particulars) {
    this.filter = filter;
    this.capacity = capacity;
    this.puts = puts;
    this.particulars = particulars;
  }

  /** Starts to fill a filter that never refuses a key. */
  private static <F extends HashedMutableFilter<Line> & Storable> FilterMaker of(
      FilterMaker.Request request, F filter, Function<F, Report> particulars) {
    boolean[] isNew = new boolean[LineReader.MAX_LINES];
    Puts puts =
        (reader, before) -> {
          filter.putHashes(reader.hashes(), reader.keyed(), isNew);
          int unique = 0;
          for (int i = 0; i < reader.keyed(); i++) {
            unique += isNew[i] ? 1 : 0;
          }
          return unique;
        };
    return new PutMaker<>(filter, request.watch(filter), puts, particulars);
  }

  /** Starts a Bloom filter of fixed size; a null layout is the blocked one that fits the fpp. */
  static FilterMaker bloom(FilterMaker.Request request, @Nullable Layout layout)
      throws IOException {
    return of(
        request,
        request.sizing().fixed(request.hasher(), layout, request.countedLines()),
        filter -> new Report());
  }

  static FilterMaker scalable(FilterMaker.Request request) throws IOException {
    request.refuseMemory("leave it out");
    FilterOptions sizing = request.sizing();
    OptionalLong guess =
        sizing.expectedKeys() != null
            ? OptionalLong.empty()
            : request.keyOptions().estimatedKeys(request.inputs());
    return of(request, sizing.growing(request.hasher(), guess), filter -> new Report());
  }

  static FilterMaker counting(FilterMaker.Request request) throws IOException {
    return of(
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

  static FilterMaker windowed(FilterMaker.Request request) {
    request.refuseMemory(NO_MEMORY);
    Long window = request.sizing().expectedKeys();
    if (window == null) {
      throw new CommandException(
          "-n is required for a windowed filter; give the number of lines it remembers");
    }
    return of(
        request,
        WindowedBloomFilter.<Line>builder(request.hasher())
            .window(window)
            .fpp(request.sizing().fpp())
            .build(),
        filter -> new Report().count("window", filter.sizing().expectedKeys()));
  }

  static FilterMaker cuckoo(FilterMaker.Request request) throws IOException {
    request.refuseMemory("leave it out, and give the -n that tamis size -m -p prints");
    CuckooFilter<Line> filter =
        CuckooFilter.create(request.hasher(), request.keys(), request.sizing().fpp());
    Puts puts =
        (reader, before) -> {
          int unique = 0;
          for (int i = 0; i < reader.keyed(); i++) {
            try {
              unique += filter.putHash(reader.hashes()[i]) ? 1 : 0;
            } catch (FilterFullException e) {
              throw new CommandException(
                  "line %d: the filter is full, sized for %d lines; raise -n, or run tamis dedup"
                      + " first: copies of one line share eight slots",
                  before + reader.keyedLine(i) + 1, filter.expectedKeys());
            }
          }
          return unique;
        };
    return new PutMaker<>(
        filter,
        request.watch(filter),
        puts,
        full -> new Report().count("stored", full.approximateElementCount().rounded()));
  }

  /** Starts a filter of another program, by its own sizing and hash, in a file of Tamis. */
  static FilterMaker foreign(FilterMaker.Request request, Creation creation) throws IOException {
    request.refuseMemory(NO_MEMORY);
    if (request.hasher().hashKey().isPresent()) {
      throw new CommandException(
          "%s: secret key: must be none, got one; leave --key-file out", request.type());
    }
    Capacity capacity = new Capacity(request.keys(), request.sizing().fpp());
    ForeignFilter<Line> filter =
        creation.create(request.hasher(), capacity.expectedKeys(), capacity.requestedFpp());
    LineKey key = request.newKey();
    Puts puts =
        (reader, before) -> {
          int unique = 0;
          for (int i = 0; i < reader.keyed(); i++) {
            unique += filter.put(key.of(reader.line(reader.keyedLine(i)))) ? 1 : 0;
          }
          return unique;
        };
    return new PutMaker<>(filter, request.watch(filter, capacity), puts, full -> new Report());
  }

  @Override
  public void take(LineReader reader) {
    unique += puts.put(reader, before);
    before = reader.lines();
    lines += reader.keyed();
    capacity.accepted(unique);
  }

  @Override
  public BuildResult finish() {
    return BuildResult.of(filter, lines, unique, particulars.apply(filter), capacity);
  }

  private interface Puts {
    /** Puts lines after {@code before} others, and returns the number of new ones. */
    int put(LineReader reader, long before);
  }

  interface Creation {
    ForeignFilter<Line> create(KeyHasher<Line> hasher, long expectedKeys, double fpp);
  }
}
