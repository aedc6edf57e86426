package dev.tamis.cli.filter;

import dev.tamis.cli.console.Choice;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Output;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.place.Descriptions;
import dev.tamis.cli.place.FileSniffer;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.file.FileErrors;
import dev.tamis.format.FormatException;
import dev.tamis.format.FrameReader;
import dev.tamis.format.Kind;
import dev.tamis.interop.ForeignFilter;
import dev.tamis.interop.ForeignFilters;
import dev.tamis.interop.ForeignFormat;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis convert}: another program's filter into a file of Tamis, and back. */
@Command(
    name = "convert",
    description = "Wrap another program's filter in a file for tamis, or unwrap it.",
    footer = {
      "Bits and hash remain the other program's: tamis check, info, count and merge",
      "work on the wrapped filter and answer as that program does for a line's bytes.",
      "A filter cannot be converted to another program's, because it has no keys.",
      "",
      "Formats:",
      "  tamis    a file of Tamis that wraps another program's filter",
      "  guava    output of Guava's BloomFilter.writeTo, of strings (UTF-8) or bytes",
      "  spark    output of Spark's BloomFilter.writeTo, version 1 or 2",
      "  parquet  output of BlockSplitBloomFilter.writeTo: bits without a header",
      "  dcso     output of DCSO's bloom and flor, gzipped or not",
      "",
      "For dcso, an OUT that ends in .gz is gzipped.",
      "",
      "Example:",
      "  $ echo alice | tamis build -q -n 100 -t guava -o wrapped.tamis",
      "  $ tamis convert -q --from tamis --to guava wrapped.tamis users.guava",
      "  $ tamis convert -q --from guava --to tamis users.guava users.tamis",
      "  $ echo alice | tamis check users.tamis",
      "  alice",
    })
public final class Convert implements Callable<Integer> {

  private static final Path DASH = Path.of("-");
  private static final String GZIP_SUFFIX = ".gz";
  private static final int PACKING_BYTES = 1 << 16;

  private final Streams streams;

  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      required = true,
      converter = Format.FormatChoice.class,
      completionCandidates = Format.FormatChoice.class,
      description = "Format of IN: one of ${COMPLETION-CANDIDATES}.")
  private Format from;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      required = true,
      converter = Format.FormatChoice.class,
      completionCandidates = Format.FormatChoice.class,
      description = "Format of OUT.")
  private Format to;

  @Parameters(index = "0", paramLabel = "IN", description = "Standard input for -.")
  private Path in;

  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "Replaced atomically on success; standard output for -.")
  private Path out;

  public Convert(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    Format source = from;
    Format target = to;
    requireOneOfOurs(source, target);
    ForeignFilter<Line> filter = read(in, source);
    target.foreign().ifPresent(format -> requireFormat(format, filter));
    Path file = out;
    try (Output output = Output.of(file.equals(DASH) ? null : file, streams)) {
      if (target.isOurs()) {
        filter.writeTo(output.stream());
      } else if (target.mayBePacked() && file.toString().endsWith(GZIP_SUFFIX)) {
        GZIPOutputStream packed = new GZIPOutputStream(output.stream(), PACKING_BYTES);
        filter.writeForeignTo(packed);
        packed.finish();
        output.stream().flush();
      } else {
        filter.writeForeignTo(output.stream());
      }
      output.commit();
    }
    report.print(
        Descriptions.traits(filter.traits())
            .count("keys", filter.approximateElementCount().rounded())
            .number("fpp", filter.expectedFpp()),
        streams.err());
    return 0;
  }

  private static void requireOneOfOurs(Format source, Format target) {
    if (source.equals(target)) {
      throw new CommandException(
          "--from and --to: must differ, got %s twice; copy the file", source);
    }
    if (!source.isOurs() && !target.isOurs()) {
      throw new CommandException(
          "a %s filter cannot be converted to %s: the two hash keys differently, and a filter does"
              + " not contain its keys; build one from the keys with tamis build -t %s",
          source, target, target);
    }
  }

  private void requireFormat(ForeignFormat format, ForeignFilter<Line> filter) {
    if (filter.format() != format) {
      throw new CommandException(
          "%s: format: must be %3$s as in --to, got %2$s; use --to %4$s",
          in, filter.format().label(), format.label(), filter.format().label());
    }
  }

  private ForeignFilter<Line> read(Path path, Format source) throws IOException {
    String name = path.equals(DASH) ? "standard input" : path.toString();
    OptionalLong size =
        Files.isRegularFile(path) ? OptionalLong.of(Files.size(path)) : OptionalLong.empty();
    try (InputStream bytes = open(path)) {
      return read(bytes, size, name, source);
    } catch (FileSystemException e) {
      throw e;
    } catch (IOException e) {
      throw FileErrors.named(name, String.valueOf(e.getMessage()), e);
    }
  }

  private static ForeignFilter<Line> read(
      InputStream bytes, OptionalLong size, String name, Format source) throws IOException {
    byte[] head = bytes.readNBytes(FileSniffer.HEAD_BYTES);
    Optional<String> recognised = FileSniffer.format(head, size);
    boolean packed = source.mayBePacked() && recognised.equals(Optional.of(FileSniffer.GZIP));
    if (!packed && recognised.isPresent() && !recognised.get().equals(source.toString())) {
      throw new CommandException(
          "%s: format: must be %3$s as in --from, looks like %2$s; %4$s",
          name, recognised.get(), source, FileSniffer.advice(recognised.get()));
    }
    InputStream all = new SequenceInputStream(new ByteArrayInputStream(head), bytes);
    // the length of gzipped bytes does not bound what is in them
    long heap = Runtime.getRuntime().maxMemory();
    ForeignFilter<Line> filter = read(all, packed ? heap : size.orElse(heap), source);
    if (all.read() >= 0) {
      long end = source.isOurs() ? filter.serializedSize() : filter.foreignSize();
      throw new FormatException("filter", end, "end", "no more bytes", "more");
    }
    return filter;
  }

  private static ForeignFilter<Line> read(InputStream bytes, long maxBytes, Format source)
      throws IOException {
    Optional<ForeignFormat> format = source.foreign();
    if (format.isPresent()) {
      return ForeignFilters.readForeign(format.get(), bytes, Line.HASHER, maxBytes);
    }
    FrameReader frame = new FrameReader(bytes, maxBytes);
    if (frame.kind() != Kind.FOREIGN) {
      throw new IOException(
          "kind: must be foreign to be converted, got "
              + frame.kind().label()
              + "; build a filter from the keys with tamis build -t guava or another");
    }
    return ForeignFilters.readFrom(frame, Line.HASHER);
  }

  private InputStream open(Path path) throws IOException {
    return path.equals(DASH) ? streams.unclosedIn() : Files.newInputStream(path);
  }

  /** A format that {@code convert} reads and writes; empty for Tamis. */
  private record Format(Optional<ForeignFormat> foreign) {

    private static final String OURS = "tamis";

    private static List<Format> all() {
      return Stream.concat(
              Stream.of(Optional.<ForeignFormat>empty()),
              Arrays.stream(ForeignFormat.values()).map(Optional::of))
          .map(Format::new)
          .toList();
    }

    boolean mayBePacked() {
      return foreign.equals(Optional.of(ForeignFormat.DCSO));
    }

    boolean isOurs() {
      return foreign.isEmpty();
    }

    @Override
    public String toString() {
      return foreign.map(ForeignFormat::label).orElse(OURS);
    }

    static final class FormatChoice extends Choice<Format> {
      FormatChoice() {
        super(all(), Format::toString);
      }
    }
  }
}
