package dev.tamis.cli.console;

import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.lines.LineEstimate;
import dev.tamis.cli.lines.LineFormat;
import dev.tamis.cli.lines.LineHash;
import dev.tamis.cli.lines.LineInput;
import dev.tamis.cli.lines.LineMatcher;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.cli.lines.ParallelLines;
import dev.tamis.filter.ParallelPuts;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.Flushable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessMode;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** The FILE arguments of a command: what to read lines from, standard input for a dash or none. */
public final class Inputs {

  private static final Path DASH = Path.of("-");

  private final List<Path> paths;
  private final LineFormat format;
  private final DecompressOption decompression;
  private final Streams streams;

  private Inputs(
      List<Path> paths, LineFormat format, DecompressOption decompression, Streams streams) {
    this.paths = paths;
    this.format = format;
    this.decompression = decompression;
    this.streams = streams;
  }

  /** Takes the arguments; refuses all that are known to be unreadable. */
  public static Inputs of(
      List<Path> files, byte delimiter, DecompressOption decompression, Streams streams) {
    List<Path> paths = files.isEmpty() ? List.of(DASH) : List.copyOf(files);
    List<String> wrong = new ArrayList<>();
    for (Path path : paths) {
      if (path.toString().isEmpty()) {
        throw new CommandException("the name of a file is empty; name a file, or - for a pipe");
      }
      if (path.toString().matches("rediss?:/.*")) {
        throw new CommandException(
            "%s: is a filter on a server and has no lines; tamis dedup takes it with -s", path);
      }
      if (!path.equals(DASH)) {
        refusal(path).ifPresent(e -> wrong.addAll(ErrorLines.of(e)));
      }
    }
    if (!wrong.isEmpty()) {
      throw new CommandException(wrong);
    }
    return new Inputs(paths, LineFormat.plain(delimiter), decompression, streams);
  }

  public Inputs withLines(LineFormat format) {
    return new Inputs(paths, format, decompression, streams);
  }

  /** Returns why a file cannot be read, as far as is known without opening it. */
  private static Optional<IOException> refusal(Path path) {
    if (Files.isDirectory(path)) {
      return Optional.of(new FileSystemException(path.toString(), null, "Is a directory"));
    }
    try {
      path.getFileSystem().provider().checkAccess(path, AccessMode.READ);
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e);
    }
  }

  /** Returns whether all can be reread and have a size. */
  public boolean areRegularFiles() {
    return paths.stream().allMatch(Inputs::isRegularFile);
  }

  private static boolean isRegularFile(Path path) {
    return !path.equals(DASH) && Files.isRegularFile(path);
  }

  public List<Path> paths() {
    return paths;
  }

  public OptionalLong estimatedLines() throws IOException {
    return areRegularFiles() ? OptionalLong.of(estimate().lines()) : OptionalLong.empty();
  }

  /** Estimates the contents of regular files. */
  public LineEstimate estimate() throws IOException {
    long lines = 0;
    long bytes = 0;
    for (Path path : paths) {
      LineEstimate each =
          decompression.applies(path)
              ? LineEstimate.ofCompressed(path, format.delimiter(), decompression)
              : LineEstimate.of(path, format.delimiter());
      lines += each.lines();
      bytes += each.bytes();
    }
    return new LineEstimate(lines, bytes);
  }

  /** Counts the lines that have a key. */
  public long countKeys(LineHash hashing) throws IOException {
    long keys = 0;
    try (LineReader reader = lines(hashing, Progress.NONE, () -> {})) {
      while (reader.next() > 0) {
        keys += reader.keyed();
      }
    }
    return keys;
  }

  public OptionalLong sizeInBytes() throws IOException {
    if (!areRegularFiles()) {
      return OptionalLong.empty();
    }
    long bytes = 0;
    for (Path path : paths) {
      bytes += Files.size(path);
    }
    return OptionalLong.of(bytes);
  }

  /** Returns a reader of all lines, which are hashed on another thread. */
  public LineReader lines(LineHash hashing, Progress progress, Flushable beforeWaiting) {
    return lines(hashing, progress, beforeWaiting, LineReader.MAX_LINES);
  }

  public LineReader lines(
      LineHash hashing, Progress progress, Flushable beforeWaiting, int mostLines) {
    LineReader reader = new LineReader(each(progress), format, mostLines, hashing, beforeWaiting);
    progress.countLines(reader::lines);
    return reader;
  }

  /** Returns a pipeline that puts all lines into a filter and writes the {@code wanted} ones. */
  public ParallelLines inParallel(
      Supplier<LineHash> hashing,
      ParallelPuts puts,
      int workers,
      boolean wanted,
      Progress progress) {
    ParallelLines all = new ParallelLines(each(progress), format, hashing, puts, workers, wanted);
    progress.countLines(all::lines);
    return all;
  }

  /** Prints the lines that match, or their number, and returns the exit status. */
  public int print(
      LineHash hashing, LineMatcher matcher, boolean wanted, boolean countOnly, int mostLines)
      throws IOException {
    LineWriter writer = new LineWriter(new StandardOutput(streams.out()), format.delimiter());
    long found;
    try (Progress progress = Progress.overBytes(sizeInBytes(), false, streams.err());
        LineReader reader = lines(hashing, progress, writer, mostLines)) {
      if (countOnly) {
        found = matcher.count(reader, wanted);
        streams.print(found + "\n");
      } else {
        matcher.write(reader, wanted, writer);
        found = writer.lines();
      }
    }
    return found > 0 ? 0 : ExitStatus.NOTHING_FOUND;
  }

  /** Returns the inputs; {@code progress} is updated as bytes are read. */
  public List<Input> each(Progress progress) {
    return paths.stream().map(path -> new Input(path, decompression, streams, progress)).toList();
  }

  public record Input(Path path, DecompressOption decompression, Streams streams, Progress progress)
      implements LineInput {

    @Override
    public String name() {
      return isStandardInput() ? "standard input" : path.toString();
    }

    public boolean isStandardInput() {
      return path.equals(DASH);
    }

    @Override
    public boolean mayBlock() {
      return !isRegularFile(path);
    }

    @Override
    public InputStream open() throws IOException {
      if (isStandardInput()) {
        // it may be named twice
        return decompression.dataAheadOf(progress.watch(streams.unclosedIn()));
      }
      try {
        return decompression.dataAheadOf(progress.watch(new FileInputStream(path.toFile())));
      } catch (FileNotFoundException e) {
        throw refusal(path).orElse(new FileSystemException(name(), null, e.getMessage()));
      }
    }
  }
}
