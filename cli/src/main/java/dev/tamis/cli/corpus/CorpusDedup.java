package dev.tamis.cli.corpus;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.dedup.FileNames;
import dev.tamis.cli.lines.KeyPart;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.report.NumberFormats;
import dev.tamis.cli.report.Report;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.corpus.Overlap;
import dev.tamis.corpus.TextUnits;
import dev.tamis.corpus.UnitFilter;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis corpus dedup}: texts without those that came before. */
@Command(
    name = "dedup",
    description =
        "Drop documents, or cut paragraphs, that came before, in order of input; one output per"
            + " input.",
    footer = {
      "Without -n the filter grows, from a size that samples of the input suggest.",
      "With -n a filter with far too many keys is an error, as soon as it is noticed.",
      "",
      "A wrong drop of a unit takes as many false positives as it has n-grams too few:",
      "with --ngrams 13 --overlap 0.8 a fpp of 1 % is enough. The summary has the",
      "expected number.",
      "",
      "Example:",
      "  $ printf '{\"text\":\"one\\\\ntwo\"}\\n{\"text\":\"two\\\\nsix\"}\\n' > texts.jsonl",
      "  $ tamis corpus dedup -q --paragraphs -o unique texts.jsonl",
      "  $ cat unique/texts.jsonl",
      "  {\"text\":\"one\\ntwo\"}",
      "  {\"text\":\"six\"}",
    })
final class CorpusDedup implements Callable<Integer> {

  /** Each thread has a few megabytes of records. */
  static final int MAX_THREADS = 64;

  static final int DEFAULT_MAX_THREADS = 16;

  /** The share of the heap that the first stage of a filter that grows may take. */
  private static final double STARTING_SHARE = 0.25;

  /** Less need not be announced. */
  private static final long ANNOUNCED_BYTES = 64 << 20;

  private final Streams streams;

  @Mixin private UnitOptions units = new UnitOptions();
  @Mixin private FileNames names = new FileNames();
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      required = true,
      description =
          "Folder for the outputs: the names and compression of the inputs, each replaced"
              + " atomically.")
  private Path output;

  @Option(
      names = "--overlap",
      paramLabel = "T",
      converter = UnitOptions.OverlapConverter.class,
      defaultValue = "0.8",
      description =
          "With --ngrams, the share of its n-grams from which a unit is a repeat (default:"
              + " ${DEFAULT-VALUE}).")
  private Overlap overlap;

  @Option(
      names = "--annotate",
      paramLabel = "NAME",
      description =
          "Drop nothing; write the spans of repeats as the attribute NAME to DIR/attributes/NAME,"
              + " as dolma's taggers do: in code points, with the share of known n-grams.")
  private @Nullable String attribute;

  @Option(
      names = "--duplicates-to",
      paramLabel = "DIR",
      description = "Folder for what is taken out: records whose text is the repeats.")
  private @Nullable Path duplicates;

  @Option(
      names = "--keep-empty",
      description = "Keep records whose whole text was a repeat, with what else is in them.")
  private boolean keepEmpty;

  @Option(
      names = "--part",
      paramLabel = "K/N",
      converter = KeyPart.Converter.class,
      description =
          "Only drop and remember documents or paragraphs of part K of N, by their hash. N runs,"
              + " each over the output of the one before, give what one run gives, in 1/N of the"
              + " memory.")
  private KeyPart part = KeyPart.ALL;

  @Option(
      names = "--resume",
      description =
          "Keep the filter and the list of finished inputs in the output folder, and continue"
              + " where an earlier run with this option ended, however that was.")
  private boolean resume;

  @Option(
      names = {"-n", "--expected-keys"},
      paramLabel = "N",
      description = "Distinct documents, paragraphs or n-grams expected, such as 10M or 1e9.")
  private @Nullable Long expectedKeys;

  @Option(
      names = {"-p", "--fpp"},
      paramLabel = "P",
      description = "False-positive probability (default: 1e-6, with --ngrams 0.01).")
  private @Nullable Double fpp;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description =
          "Threads that parse and hash (default: the number of cores, 16 at most). The output does"
              + " not depend on it.")
  private @Nullable Long parallel;

  @Parameters(paramLabel = "FILE|DIR", arity = "0..*", description = "Inputs of JSON lines.")
  private List<Path> inputs = List.of();

  /** Zero if nothing was estimated. */
  private long estimatedKeys;

  CorpusDedup(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    units.check();
    check();
    CorpusFiles files = CorpusFiles.of(names.of(inputs, streams));
    files.requireOutside(output);
    if (duplicates != null) {
      files.requireOutside(duplicates);
    }
    Report summary;
    if (resume) {
      try (CorpusJournal journal = CorpusJournal.open(output)) {
        KeyHasher<Line> hasher = units.keyRule().hasher(Line.HASHER);
        HashedMutableFilter<Line> filter = journal.load(settings(), hasher);
        if (filter == null) {
          filter = newFilter(files, hasher);
          journal.begin(settings(), filter);
        }
        summary = run(files, filter, journal);
      }
    } else {
      KeyHasher<Line> hasher = units.keyRule().hasher(Line.HASHER.withRandomKey());
      summary = run(files, newFilter(files, hasher), null);
    }
    report.print(summary.secondsSince(start), streams.err());
    return 0;
  }

  private void check() {
    if (attribute != null && (attribute.isEmpty() || attribute.contains("/"))) {
      throw new CommandException("--annotate: must be the name of a folder, got '%s'", attribute);
    }
    if (attribute != null && (keepEmpty || duplicates != null)) {
      throw new CommandException(
          "--annotate drops nothing; leave out --keep-empty and --duplicates-to");
    }
    if (duplicates != null && duplicates.toAbsolutePath().normalize().equals(folder())) {
      throw new CommandException("--duplicates-to and -o are the same folder; name two");
    }
    if (!resume && CorpusJournal.existsIn(output)) {
      throw new CommandException(
          "%s: has the state of an earlier run; continue it with --resume, or remove the folder",
          output);
    }
    if (part.parts() > 1 && units.rule().ngram() > 0) {
      throw new CommandException(
          "--part: the n-grams of a unit are in all parts; leave out --part or --ngrams");
    }
    int unused = threads(parallel);
  }

  private Path folder() {
    return output.toAbsolutePath().normalize();
  }

  /** Checks the number of threads, or returns the default. */
  static int threads(@Nullable Long given) {
    if (given == null) {
      return Math.min(DEFAULT_MAX_THREADS, Runtime.getRuntime().availableProcessors());
    }
    if (given < 1 || given > MAX_THREADS) {
      throw new CommandException("--parallel: must be from 1 to %s, got %s", MAX_THREADS, given);
    }
    return given.intValue();
  }

  private String settings() {
    return units.settings()
        + String.join(
            " ",
            List.of(
                "",
                "--overlap=" + overlap.threshold(),
                "--annotate=" + attribute,
                "--duplicates-to=" + duplicates,
                "--keep-empty=" + keepEmpty,
                "--part=" + part,
                "-n=" + expectedKeys,
                "-p=" + p()));
  }

  private double p() {
    return fpp != null ? fpp : units.defaultFpp();
  }

  private HashedMutableFilter<Line> newFilter(CorpusFiles files, KeyHasher<Line> hasher)
      throws IOException {
    if (expectedKeys != null) {
      return BloomFilter.<Line>builder(hasher)
          .expectedKeys(expectedKeys)
          .fpp(p())
          .singleThreaded()
          .build();
    }
    TextUnits sample = ofPart(HashFunction.xxh3(0));
    long guess = UnitEstimate.keys(files, units.field(), sample);
    double bytesPerKey = 1 - Math.log(p()) / Byte.SIZE / Math.log(2) / Math.log(2);
    double most = STARTING_SHARE * Runtime.getRuntime().maxMemory() / bytesPerKey;
    ScalableBloomFilter<Line> filter =
        ScalableBloomFilter.<Line>builder(hasher)
            .initialKeys(Math.max(1, Math.min(guess, (long) most)))
            .fpp(p())
            .singleThreaded()
            .build();
    if (filter.bitSize() / Byte.SIZE >= ANNOUNCED_BYTES) {
      report.remark(
          String.format(
              Locale.ROOT,
              "tamis corpus dedup: about %d %s, repeats included; the filter begins with %s",
              guess,
              units.keyName(),
              NumberFormats.bytes((double) filter.bitSize() / Byte.SIZE, 1, " ")),
          streams.err());
    }
    estimatedKeys = guess;
    return filter;
  }

  private Report run(
      CorpusFiles files, HashedMutableFilter<Line> filter, @Nullable CorpusJournal journal)
      throws IOException {
    UnitFilter decisions = UnitFilter.deduplicating(filter, overlap);
    RecordWriter.Layout layout = new RecordWriter.Layout(output, duplicates, attribute, keepEmpty);
    CorpusTally tally =
        new CorpusRun("corpus dedup", streams, units, report, layout)
            .over(
                files,
                threads(parallel),
                () -> ofPart(filter.hasher().function()),
                decisions,
                filter,
                journal,
                (input, batch) -> {});
    Report summary = tally.report(units.hasParagraphs() || keepEmpty, units.rule().ngram() > 0);
    if (estimatedKeys > 0) {
      summary.count("estimated-keys", estimatedKeys);
    }
    return summary.number("fpp", filter.expectedFpp()).memory(filter.bitSize() / Byte.SIZE);
  }

  private TextUnits ofPart(HashFunction function) {
    if (part.parts() == 1) {
      return units.units(function).build();
    }
    Line text = new Line();
    return units
        .units(function)
        .part(
            (bytes, from, to) -> {
              text.set(bytes, from, to - from);
              return part.contains(text);
            })
        .build();
  }
}
