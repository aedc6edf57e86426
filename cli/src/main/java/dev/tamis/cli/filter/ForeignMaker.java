package dev.tamis.cli.filter;

import dev.tamis.Sized.Capacity;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.CapacityWatch;
import dev.tamis.cli.report.Report;
import dev.tamis.hash.KeyHasher;
import dev.tamis.interop.DcsoBloomFilter;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.interop.GuavaBloomFilter;
import dev.tamis.interop.ParquetBloomFilter;
import dev.tamis.interop.SparkBloomFilter;
import java.io.IOException;

/** Builds filters of other programs, by their own sizing and hash, in files of Tamis. */
final class ForeignMaker implements FilterMaker {

  private final ForeignFilter<Line> filter;
  private final CapacityWatch capacity;
  private long lines;
  private long unique;

  private ForeignMaker(BuildRequest request, Creation creation) throws IOException {
    request.refuseMemory("it follows from -n and -p, leave it out");
    if (request.hasher().hashKey().isPresent()) {
      throw new CommandException(
          "%s: secret key: must be none, got one; leave --key-file out", request.type());
    }
    Long given = request.sizing().expectedKeys();
    long keys = given != null ? given : request.countedLines().orElseThrow();
    double fpp = request.sizing().fpp();
    this.filter = creation.create(request.hasher(), keys, fpp);
    this.capacity = request.watch(filter, new Capacity(keys, fpp));
  }

  static FilterMaker guava(BuildRequest request) throws IOException {
    return new ForeignMaker(request, GuavaBloomFilter::create);
  }

  static FilterMaker spark(BuildRequest request) throws IOException {
    return new ForeignMaker(request, SparkBloomFilter::create);
  }

  static FilterMaker sparkVersion1(BuildRequest request) throws IOException {
    return new ForeignMaker(request, SparkBloomFilter::createVersion1);
  }

  static FilterMaker parquet(BuildRequest request) throws IOException {
    return new ForeignMaker(request, ParquetBloomFilter::create);
  }

  static FilterMaker dcso(BuildRequest request) throws IOException {
    return new ForeignMaker(request, DcsoBloomFilter::create);
  }

  @Override
  public void take(LineReader reader, int count) {
    for (int i = 0; i < count; i++) {
      unique += filter.put(reader.line(i)) ? 1 : 0;
    }
    lines += count;
    capacity.accepted(unique);
  }

  @Override
  public BuildResult finish() {
    return BuildResult.of(filter, lines, unique, new Report(), capacity);
  }

  private interface Creation {
    ForeignFilter<Line> create(KeyHasher<Line> hasher, long expectedKeys, double fpp);
  }
}
