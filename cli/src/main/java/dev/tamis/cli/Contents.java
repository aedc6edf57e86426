package dev.tamis.cli;

import dev.tamis.Confidence;
import dev.tamis.Estimate;
import dev.tamis.HashedFilter;
import dev.tamis.Storable;
import dev.tamis.cli.lines.Line;
import dev.tamis.file.FileHeader;
import dev.tamis.file.ForeignFile;
import dev.tamis.file.SketchFile;
import dev.tamis.format.Kind;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.sketch.CountMinSketch;
import dev.tamis.sketch.DistinctCounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a file by one of the commands turns out to hold. */
sealed interface Contents {

  /** Reads what is in a file. */
  static Contents of(Path path, KeyFile keyFile) throws IOException {
    // a pipe can be read once only, and is taken to hold a filter
    Kind kind = Files.isRegularFile(path) ? FileHeader.read(path).kind() : Kind.BLOOM;
    return switch (kind) {
      case COUNT_MIN -> new Frequencies(keyFile.load(path, SketchFile::<Line>loadCountMin));
      case DISTINCT -> new Counter(keyFile.load(path, SketchFile::<Line>loadDistinct));
      case FOREIGN -> new Foreign(keyFile.load(path, ForeignFile::<Line>load));
      default -> new Ours(keyFile.load(path));
    };
  }

  /** Returns the name for people. */
  String kind();

  /** Returns what can be written. */
  Storable stored();

  /** What tells how many different keys it holds. */
  sealed interface Countable extends Contents {
    Estimate keys(Confidence confidence);
  }

  /** A filter. */
  record Ours(HashedFilter<Line> filter) implements Countable {
    @Override
    public String kind() {
      return FilterFiles.kindOf(filter);
    }

    @Override
    public Storable stored() {
      return (Storable) filter; // it was read from a file or downloaded
    }

    @Override
    public Estimate keys(Confidence confidence) {
      return filter.approximateElementCount(confidence);
    }
  }

  /** A filter of another program. */
  record Foreign(ForeignFilter<Line> filter) implements Countable {
    @Override
    public String kind() {
      return Kind.FOREIGN.label();
    }

    @Override
    public Storable stored() {
      return filter;
    }

    @Override
    public Estimate keys(Confidence confidence) {
      return filter.approximateElementCount(confidence);
    }
  }

  /** A sketch of how often each line came. */
  record Frequencies(CountMinSketch<Line> sketch) implements Contents {
    @Override
    public String kind() {
      return Kind.COUNT_MIN.label();
    }

    @Override
    public Storable stored() {
      return sketch;
    }
  }

  /** A counter of different lines. */
  record Counter(DistinctCounter<Line> counter) implements Countable {
    @Override
    public String kind() {
      return Kind.DISTINCT.label();
    }

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
