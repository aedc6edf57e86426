package dev.tamis.cli.place;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.Filter;
import dev.tamis.Storable;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.lines.Line;
import dev.tamis.file.FilterFile;
import dev.tamis.file.FilterFile.FileHeader;
import dev.tamis.format.FormatException;
import dev.tamis.format.Kind;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What was read from a file that one of the commands wrote: a filter or a sketch. */
public sealed interface Loaded {

  static Loaded from(Path path, KeyFile keyFile) throws IOException {
    // a pipe can be read once only, and is taken to contain a filter
    Kind kind = Files.isRegularFile(path) ? kindOf(path) : Kind.BLOOM;
    return switch (kind) {
      case COUNT_MIN -> new OfFrequencies(keyFile.load(path, FilterFile::<Line>loadCountMin));
      case DISTINCT -> new OfCounter(keyFile.load(path, FilterFile::<Line>loadDistinct));
      default -> {
        Filter<Line> filter = keyFile.load(path, FilterFile::<Line>load);
        yield OfFilter.of((Filter<Line> & Storable) filter);
      }
    };
  }

  /** Returns whether the header of a regular file says that it is a Bloom filter. */
  static boolean isBloomFile(Path path) throws IOException {
    return Files.isRegularFile(path) && kindOf(path) == Kind.BLOOM;
  }

  private static Kind kindOf(Path path) throws IOException {
    try {
      return FileHeader.read(path).kind();
    } catch (FileSystemException e) {
      Optional<String> hint =
          e.getCause() instanceof FormatException ? FileSniffer.hint(path) : Optional.empty();
      if (hint.isEmpty()) {
        throw e;
      }
      throw new CommandException("%s: is not a Tamis filter; %s", path, hint.get());
    }
  }

  Storable stored();

  default String kind() {
    return stored().kind().label();
  }

  /** What estimates the number of its distinct keys. */
  sealed interface Countable extends Loaded {
    Estimate keys(Confidence confidence);
  }

  /** A filter, and the same object as it is stored. */
  record OfFilter(Filter<Line> filter, Storable stored) implements Countable {

    public static <F extends Filter<Line> & Storable> OfFilter of(F filter) {
      return new OfFilter(filter, filter);
    }

    @Override
    public Estimate keys(Confidence confidence) {
      return filter.approximateElementCount(confidence);
    }
  }

  record OfFrequencies(CountMinSketch<Line> sketch) implements Loaded {
    @Override
    public Storable stored() {
      return sketch;
    }
  }

  record OfCounter(DistinctCounter<Line> counter) implements Countable {
    @Override
    public Storable stored() {
      return counter;
    }

    @Override
    public Estimate keys(Confidence confidence) {
      return counter.approximateElementCount(confidence);
    }
  }
}
