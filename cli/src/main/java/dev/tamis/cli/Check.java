package dev.tamis.cli;

import static java.util.Objects.requireNonNull;

import dev.tamis.HashedFilter;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.file.FilterFile;
import dev.tamis.file.ForeignFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis check}: the lines that may be in a filter, or those that certainly are not. */
@Command(
    name = "check",
    description = "Print the lines that may be in a filter.",
    footer = {
      "",
      "Exit status is 0 if a line was printed or counted, 1 if none was, 2 on any error.",
      "",
      "With --map the filter is not read in, so that a large one is open at once and takes no",
      "memory; each line then reads the part of the file that it is about. For few lines that",
      "is faster, for many slower. The file's checksum is not verified (tamis info does that).",
      "Types: blocked, classic, partitioned, fuse.",
      "",
      "Example:",
      "  $ printf 'a\\nb\\n' | tamis build -q -n 2 -o ab.tamis",
      "  $ printf 'b\\nc\\n' | tamis check ab.tamis",
      "  b",
    })
final class Check implements Callable<Integer> {

  private final Streams streams;

  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private KeyFile keyFile = new KeyFile();

  @Option(
      names = {"-v", "--invert"},
      description = "Print the lines that certainly are not in it.")
  private boolean invert;

  @Option(
      names = {"-c", "--count"},
      description = "Print how many lines there are instead of the lines.")
  private boolean countOnly;

  @Option(names = "--map", description = "Look into the filter's file instead of reading it in.")
  private boolean map;

  @Parameters(
      index = "0",
      paramLabel = "FILTER",
      converter = FilterPlace.Converter.class,
      description = "A file by tamis build or dedup -s, or redis://HOST:PORT/NAME.")
  private @Nullable FilterPlace place;

  @Parameters(
      index = "1..*",
      paramLabel = "FILE",
      arity = "0..*",
      description = "Standard input for - or none.")
  private List<Path> files = List.of();

  Check(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    FilterPlace filter = requireNonNull(place, "picocli requires it");
    Inputs inputs = Inputs.of(files, delimiter.value(), streams);
    if (filter instanceof FilterPlace.InFile file) {
      return check(inputs, lookUp(file.path()), LineReader.MAX_LINES);
    }
    if (map) {
      throw new CommandException("--map is for files, and " + filter + " is none; leave it out");
    }
    return RedisFilters.with(
        (RedisName) filter,
        filters -> check(inputs, LookUp.in(filters.open(keyFile)), RedisFilters.BATCH));
  }

  private LookUp lookUp(Path path) throws IOException {
    if (map) {
      return LookUp.in(keyFile.<HashedFilter<Line>>load(path, FilterFile::<Line>map));
    }
    return ForeignFile.isForeign(path)
        ? LookUp.inForeign(keyFile.load(path, ForeignFile::<Line>load))
        : LookUp.in(keyFile.load(path));
  }

  private int check(Inputs inputs, LookUp filter, int atOnce) throws IOException {
    long found;
    LineWriter writer = new LineWriter(new StandardOutput(streams.out()), delimiter.value());
    try (LineReader reader = inputs.lines(filter.hashing(), Progress.NONE, writer, atOnce)) {
      found = countOnly ? count(reader, filter) : print(reader, filter, writer);
    }
    if (countOnly) {
      streams.print(found + "\n");
    }
    return found > 0 ? 0 : ExitStatus.NOTHING_FOUND;
  }

  private long count(LineReader reader, LookUp filter) throws IOException {
    long counted = 0;
    boolean[] found = new boolean[reader.hashes().length];
    for (int count = reader.next(); count > 0; count = reader.next()) {
      filter.answers().give(reader.hashes(), count, found);
      for (int i = 0; i < count; i++) {
        counted += found[i] != invert ? 1 : 0;
      }
    }
    return counted;
  }

  private long print(LineReader reader, LookUp filter, LineWriter writer) throws IOException {
    boolean[] found = new boolean[reader.hashes().length];
    for (int count = reader.next(); count > 0; count = reader.next()) {
      filter.answers().give(reader.hashes(), count, found);
      writer.write(reader, found, count, !invert);
    }
    writer.flush();
    return writer.lines();
  }
}
