package dev.tamis.cli.digest;

import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Delimiter;
import dev.tamis.cli.console.FileOwner;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.tools.digest.CacheDigest;
import dev.tamis.tools.digest.CachedMethod;
import dev.tamis.tools.digest.DigestSize;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis digest make}: a cache digest of URLs. */
@Command(
    name = "make",
    description = "Build a digest of URLs, one per line, that a Squid can read.",
    footer = {
      "Without -n, regular files are read twice: once to count their lines. Each line",
      "is one entry, repeats included; run tamis dedup first if lines repeat. Blank",
      "lines are ignored. lines = count + blank; new counts the lines that set a bit.",
      "",
      "At 5 bits per entry a full digest has a false-positive probability of 9.2 %,",
      "at 8 bits 2.4 %, at 16 bits 0.24 %.",
      "",
      "Example:",
      "  $ printf 'http://a.example/\\nhttp://b.example/\\n' > cached",
      "  $ tamis digest make -o a.digest cached",
      "  lines=2 blank=0 new=2 capacity=2 count=2 bits-per-entry=5 set-bits=7 ...",
    })
final class DigestMake implements Callable<Integer> {

  private final Streams streams;
  private long blank;
  private long changed;

  @Mixin private Delimiter delimiter = new Delimiter();
  @Mixin private DecompressOption decompression = new DecompressOption();
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIGEST",
      required = true,
      description = "The file to write; replaced atomically on success.")
  private Path output;

  @Option(
      names = {"-n", "--capacity"},
      paramLabel = "N",
      description = "Capacity in entries (default: the lines of the files).")
  private @Nullable Long capacity;

  @Option(
      names = "--bits-per-entry",
      paramLabel = "N",
      description = "Bits per entry, 1 to 255 (default: 5, as in Squid).")
  private long bitsPerEntry = DigestSize.DEFAULT_BITS_PER_ENTRY;

  @Parameters(paramLabel = "FILE", arity = "0..*", description = "Standard input for - or none.")
  private List<Path> files = List.of();

  DigestMake(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    Inputs inputs = Inputs.of(files, delimiter.value(), decompression, streams);
    CacheDigest digest = CacheDigest.create(size(inputs));
    long lines;
    try (Progress progress = report.progress(inputs.sizeInBytes(), true, streams.err());
        LineReader reader = inputs.lines(line -> 0, progress, () -> {})) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        for (int i = 0; i < count; i++) {
          take(reader.line(i).bytes(), digest);
        }
      }
      lines = reader.lines();
    }
    Reconciliation.check("lines", lines, digest.count() + blank);
    Path file = output;
    FileOwner.watch(file, streams.err(), () -> digest.save(file));
    DigestCommand.warning("make", digest).ifPresent(line -> streams.err().line(line));
    report.print(
        new Report()
            .count("lines", lines)
            .count("blank", blank)
            .count("new", changed)
            .all(DigestCommand.brief(digest))
            .secondsSince(start),
        streams.err());
    return 0;
  }

  private void take(ByteBuffer url, CacheDigest digest) {
    if (!url.hasRemaining()) {
      blank++;
    } else if (digest.put(CachedMethod.GET, url)) {
      changed++;
    }
  }

  private DigestSize size(Inputs inputs) throws IOException {
    if (bitsPerEntry > DigestSize.MAX_BITS_PER_ENTRY) {
      throw new CommandException(
          "--bits-per-entry must be 1 to %d, got %d", DigestSize.MAX_BITS_PER_ENTRY, bitsPerEntry);
    }
    int bits = (int) bitsPerEntry;
    long entries = capacity != null ? capacity : countedLines(inputs);
    long most = DigestSize.mostEntries(bits);
    if (entries > most) {
      throw new CommandException(
          "a digest of %d bits per entry has a capacity of at most %d entries, got %d; lower -n or"
              + " --bits-per-entry",
          bits, most, entries);
    }
    return new DigestSize((int) entries, bits);
  }

  private static long countedLines(Inputs inputs) throws IOException {
    if (!inputs.areRegularFiles()) {
      throw new CommandException(
          "-n is required, because lines from a pipe cannot be counted first; give the expected"
              + " number of URLs");
    }
    return Math.max(1, inputs.countKeys(line -> 0));
  }
}
