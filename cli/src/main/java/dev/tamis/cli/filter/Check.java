package dev.tamis.cli.filter;

import dev.tamis.Filter;
import dev.tamis.HashedFilter;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.KeyedHash.Counts;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineHash;
import dev.tamis.cli.lines.LineMatcher;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.place.FilterPlace;
import dev.tamis.cli.place.KeyOptions;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.cli.place.RedisConnectionOptions;
import dev.tamis.cli.place.RedisFilters;
import dev.tamis.cli.place.RedisName;
import dev.tamis.cli.report.Report;
import dev.tamis.file.FilterFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis check}: the lines that may be in a filter, or those that are certainly not. */
@Command(
    name = "check",
    description = "Print the lines that may be in a filter.",
    footer = {
      "Exit status: 0 if a line was printed or counted, 1 if none was, 2 on any error.",
      "",
      "With --map the file is memory-mapped instead of loaded: a large filter opens at",
      "once and takes no heap, and each query reads only the pages it needs. That is",
      "faster for few lines, slower for many. The checksum is not verified (tamis info",
      "does that). Types: blocked, classic, partitioned, fuse.",
      "",
      "A line without a key (-k, --json-key) is in no filter: -v prints it. A string in",
      "JSON is looked up as the same text on a line of its own would be.",
      "",
      "Example:",
      "  $ printf 'a\\nb\\n' | tamis build -q -n 2 -o ab.tamis",
      "  $ printf 'b\\nc\\n' | tamis check ab.tamis",
      "  b",
      "  $ printf '{\"id\":1,\"k\":\"b\"}\\n' | tamis check --json-key k ab.tamis",
      "  {\"id\":1,\"k\":\"b\"}",
    })
public final class Check implements Callable<Integer> {

  private final Streams streams;

  @Mixin private KeyOptions keys = new KeyOptions.Usual();
  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private DecompressOption decompression = new DecompressOption();
  @Mixin private final KeyFile keyFile;
  @Mixin private final RedisConnectionOptions password;

  @Option(
      names = {"-v", "--invert"},
      description = "Print the lines that are certainly not in it.")
  private boolean invert;

  @Option(
      names = {"-c", "--count"},
      description = "Print the number of lines instead of the lines.")
  private boolean countOnly;

  @Option(names = "--map", description = "Memory-map the filter's file instead of loading it.")
  private boolean map;

  @Parameters(
      index = "0",
      paramLabel = "FILTER",
      description = "A file written by tamis build or dedup -s, or redis://HOST:PORT/NAME.")
  private FilterPlace place;

  @Parameters(
      index = "1..*",
      paramLabel = "FILE",
      arity = "0..*",
      description = "Standard input for - or none.")
  private List<Path> files = List.of();

  public Check(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
    this.password = new RedisConnectionOptions(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    FilterPlace filter = place;
    keys.check(delimiter.value());
    Inputs inputs =
        Inputs.of(files, delimiter.value(), decompression, streams)
            .withLines(keys.format(delimiter.value()));
    if (filter instanceof FilterPlace.InFile file) {
      warn(KeyRule.of(file.path()));
      return check(inputs, query(file.path()), LineReader.MAX_LINES);
    }
    if (map) {
      throw new CommandException("%s: --map requires a file; leave it out", filter);
    }
    return RedisFilters.with(
        (RedisName) filter,
        password,
        filters -> {
          warn(filters.rule());
          return check(inputs, Query.of(filters.open(keyFile)), RedisFilters.BATCH);
        });
  }

  private void warn(KeyRule its) {
    KeyRule rule = keys.rule(delimiter.value());
    if (!rule.agreesWith(its)) {
      streams.message(
          "tamis check: warning: %s: was filled by %s and this run looks up by %s; give the same"
              + " options, or lines that are such keys",
          place, its, rule);
    }
  }

  private Query query(Path path) throws IOException {
    return Query.of(
        map
            ? keyFile.load(path, FilterFile::<Line>map)
            : keyFile.load(path, FilterFile::<Line>load));
  }

  /** Lines without a key are in no filter. */
  private int check(Inputs inputs, Query query, int atOnce) throws IOException {
    LineMatcher matcher =
        (reader, count, marks) -> {
          query.matcher().match(reader, reader.keyed(), marks);
          reader.spread(marks, false, invert);
        };
    LineHash hashing = keys.newHash(delimiter.value(), query.hashing());
    int status = inputs.print(hashing, matcher, !invert, countOnly, atOnce);
    Counts counts = keys.counts();
    if (counts.wholes() + counts.kept() > 0) {
      streams.message("tamis check: %s", keys.withCounts(new Report(), counts).line());
    }
    return status;
  }

  /** A query in two steps: one on the thread that reads, one on the thread that decides. */
  private record Query(LineHash hashing, LineMatcher matcher) {

    static Query of(Filter<Line> filter) {
      return filter instanceof HashedFilter<Line> hashed ? byHash(hashed) : byKey(filter);
    }

    private static Query byHash(HashedFilter<Line> filter) {
      return new Query(
          filter::hashOf,
          (reader, count, marks) -> filter.mightContainHashes(reader.hashes(), count, marks));
    }

    /** 64 bits of hash are not enough for this filter, so what is computed is the answer. */
    private static Query byKey(Filter<Line> filter) {
      return new Query(
          line -> filter.mightContain(line) ? 1 : 0,
          (reader, count, marks) -> {
            for (int i = 0; i < count; i++) {
              marks[i] = reader.hashes()[i] != 0;
            }
          });
    }
  }
}
