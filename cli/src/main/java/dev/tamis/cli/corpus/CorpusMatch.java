package dev.tamis.cli.corpus;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tamis.Filter;
import dev.tamis.HashedFilter;
import dev.tamis.cli.console.ExitStatus;
import dev.tamis.cli.console.KeyFile;
import dev.tamis.cli.console.StandardOutput;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.dedup.FileNames;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.place.KeyRule;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.corpus.Ngrams;
import dev.tamis.corpus.Overlap;
import dev.tamis.corpus.TextUnits;
import dev.tamis.corpus.UnitFilter;
import dev.tamis.file.FilterFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis corpus match}: what overlaps a filter. */
@Command(
    name = "match",
    description =
        "Report documents or paragraphs that overlap a filter of corpus build, and with -o drop"
            + " them.",
    footer = {
      "Each line of the report is an object: file, line, id, start and end of the unit",
      "in code points of its text, the overlap and, with --ngrams, the passages that",
      "matched, as they are compared.",
      "",
      "Exit status: 0 if something overlaps, 1 if nothing does, 2 on any error.",
      "",
      "Example:",
      "  $ printf '{\"text\":\"a b c d e f\"}\\n' > eval.jsonl",
      "  $ tamis corpus build -q --ngrams 3 -o eval.tamis eval.jsonl",
      "  $ printf '{\"id\":7,\"text\":\"a b c d x y\"}\\n' > texts.jsonl",
      "  $ tamis corpus match -q --ngrams 3 eval.tamis texts.jsonl",
      "  {\"file\":\"texts.jsonl\",\"line\":1,\"id\":7,...\"overlap\":0.5000,\"matches\":[\"a b c"
          + " d\"]}",
    })
final class CorpusMatch implements Callable<Integer> {

  private final Streams streams;

  @Mixin private UnitOptions units = new UnitOptions();
  @Mixin private FileNames names = new FileNames();
  @Mixin private final KeyFile keyFile;
  @Mixin private SummaryOptions report = new SummaryOptions();

  @Option(
      names = "--overlap",
      paramLabel = "T",
      converter = UnitOptions.OverlapConverter.class,
      defaultValue = "0.5",
      description =
          "With --ngrams, the share of its n-grams from which a unit overlaps (default:"
              + " ${DEFAULT-VALUE}).")
  private Overlap overlap;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Folder for what does not overlap: a file for each input, of the same name.")
  private @Nullable Path output;

  @Option(
      names = "--keep-empty",
      description = "With -o, keep records whose whole text overlaps, with what else is in them.")
  private boolean keepEmpty;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      description = "Threads that parse and hash (default: the number of cores, 16 at most).")
  private @Nullable Long parallel;

  @Parameters(index = "0", paramLabel = "FILTER", description = "A file of corpus build.")
  private Path filterPath;

  @Parameters(
      index = "1..*",
      paramLabel = "FILE|DIR",
      arity = "0..*",
      description = "Inputs of JSON lines.")
  private List<Path> inputs = List.of();

  CorpusMatch(Streams streams) {
    this.streams = streams;
    this.keyFile = new KeyFile(streams.err());
  }

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    units.check();
    CorpusFiles files = CorpusFiles.of(names.of(inputs, streams));
    if (output != null) {
      files.requireOutside(output);
    }
    Filter<Line> loaded = keyFile.load(filterPath, FilterFile::<Line>load);
    units.requireSame(filterPath, KeyRule.of(filterPath));
    HashedFilter<Line> filter = (HashedFilter<Line>) loaded; // as corpus build makes them
    UnitFilter decisions = UnitFilter.matching(filter, overlap);
    OutputStream out = new StandardOutput(streams.out());
    MatchReport matches = new MatchReport(filter, decisions, out);
    RecordWriter.Layout layout = new RecordWriter.Layout(output, null, null, keepEmpty);
    CorpusTally tally =
        new CorpusRun("corpus match", streams, units, report, layout)
            .over(
                files,
                CorpusDedup.threads(parallel),
                () -> units.units(filter.hasher().function()).build(),
                decisions,
                filter,
                null,
                matches::print);
    out.flush();
    report.print(
        tally
            .report(units.hasParagraphs() || keepEmpty, units.rule().ngram() > 0)
            .secondsSince(start),
        streams.err());
    return tally.repeats() > 0 ? 0 : ExitStatus.NOTHING_FOUND;
  }

  /** Prints what overlaps, as JSON lines. */
  private static final class MatchReport {
    private final HashedFilter<Line> filter;
    private final UnitFilter decisions;
    private final OutputStream out;

    MatchReport(HashedFilter<Line> filter, UnitFilter decisions, OutputStream out) {
      this.filter = filter;
      this.decisions = decisions;
      this.out = out;
    }

    void print(CorpusFiles.CorpusFile input, RecordBatch batch) throws IOException {
      for (int record = 0; record < batch.count(); record++) {
        for (int unit = batch.firstUnit(record); unit < batch.endUnit(record); unit++) {
          if (decisions.isRepeat(unit)) {
            String line = line(input, batch, record, unit);
            out.write(line.getBytes(UTF_8));
          }
        }
      }
    }

    private String line(CorpusFiles.CorpusFile input, RecordBatch batch, int record, int unit) {
      TextUnits units = batch.units();
      byte[] text = batch.textOf(record);
      int start = RecordWriter.codePoints(text, 0, units.start(unit));
      int end = start + RecordWriter.codePoints(text, units.start(unit), units.end(unit));
      StringBuilder line = new StringBuilder("{\"file\":");
      line.append(RecordWriter.quoted(input.path().toString()))
          .append(",\"line\":")
          .append(batch.block().number(record));
      line.append(",\"id\":").append(new String(batch.id(record), UTF_8));
      line.append(",\"start\":").append(start).append(",\"end\":").append(end);
      line.append(String.format(Locale.ROOT, ",\"overlap\":%.4f", decisions.shares()[unit]));
      if (units.rule().ngram() > 0) {
        line.append(",\"matches\":[").append(passages(units, text, unit)).append(']');
      }
      return line.append("}\n").toString();
    }

    /** Returns the passages that known n-grams cover, adjacent ones as one. */
    private String passages(TextUnits units, byte[] text, int unit) {
      byte[] compared = units.compared(text, units.start(unit), units.end(unit));
      Ngrams ngrams = new Ngrams(units.rule().ngram(), filter.hasher().function());
      int count = ngrams.find(compared, 0, compared.length);
      StringBuilder passages = new StringBuilder();
      for (int i = 0; i < count; i++) {
        if (!filter.mightContainHash(ngrams.hashes()[i])) {
          continue;
        }
        int first = i;
        int last = i;
        while (i + 1 < count && i < last + ngrams.length()) {
          i++;
          last = filter.mightContainHash(ngrams.hashes()[i]) ? i : last;
        }
        int from = ngrams.start(first);
        String passage = new String(compared, from, ngrams.end(last) - from, UTF_8);
        passages.append(passages.isEmpty() ? "" : ",").append(RecordWriter.quoted(passage));
      }
      return passages.toString();
    }
  }
}
