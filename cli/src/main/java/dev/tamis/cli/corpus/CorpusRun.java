package dev.tamis.cli.corpus;

import dev.tamis.HashedFilter;
import dev.tamis.Sized.Capacity;
import dev.tamis.cli.compression.DecompressOption;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.console.Streams;
import dev.tamis.cli.report.NumberFormats;
import dev.tamis.cli.report.SummaryOptions;
import dev.tamis.corpus.TextUnits;
import dev.tamis.corpus.UnitFilter;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Passes the units of all inputs through a filter, input by input, and writes what is left. */
final class CorpusRun {

  /** Between lines that say how far the run is. */
  private static final long REMARK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final String command;
  private final Streams streams;
  private final UnitOptions options;
  private final SummaryOptions report;
  private final RecordWriter.Layout layout;
  private final long start = System.nanoTime();
  private long nextRemark = start + REMARK_NANOS;
  private final CorpusTally total = new CorpusTally();

  CorpusRun(
      String command,
      Streams streams,
      UnitOptions options,
      SummaryOptions report,
      RecordWriter.Layout layout) {
    this.command = command;
    this.streams = streams;
    this.options = options;
    this.report = report;
    this.layout = layout;
  }

  /** What is told of each batch once its units are decided, before it is written. */
  interface Decided {
    void accept(CorpusFiles.CorpusFile input, RecordBatch batch) throws IOException;
  }

  /** Reads all inputs that a journal does not list as finished. */
  CorpusTally over(
      CorpusFiles files,
      int threads,
      Supplier<TextUnits> units,
      UnitFilter decisions,
      HashedFilter<?> filter,
      @Nullable CorpusJournal journal,
      Decided decided)
      throws IOException {
    long left = 0;
    if (journal != null) {
      total.add(journal.tally());
    }
    for (CorpusFiles.CorpusFile input : files.all()) {
      left += journal != null && journal.isFinished(input) ? 0 : input.bytes();
    }
    long all = left;
    int done = 0;
    Optional<Capacity> capacity = Capacity.of(filter);
    try (Progress progress = report.progress(OptionalLong.of(left), true, streams.err());
        RecordPipeline pipeline =
            new RecordPipeline(threads, () -> new RecordBatch(options.field(), units.get()))) {
      for (CorpusFiles.CorpusFile input : files.all()) {
        done++;
        if (journal != null && journal.isFinished(input)) {
          continue;
        }
        CorpusTally before = CorpusTally.of(decisions);
        CorpusTally tally = new CorpusTally();
        try (RecordWriter writer = layout.open(input.name(), streams);
            InputStream in = open(input, progress)) {
          pipeline.read(
              in,
              input.path().toString(),
              batch -> {
                options.requireWellFormed(input, batch);
                boolean[] isRepeat = decisions.decide(batch.units());
                if (journal != null) {
                  journal.added(decisions.added(), decisions.addedCount());
                }
                decided.accept(input, batch);
                count(batch, tally);
                writer.write(batch, isRepeat, decisions.shares(), tally);
                capacity.ifPresent(limit -> requireRoom(limit, decisions));
              });
          tally.check();
          tally.addDecisions(decisions, before);
          writer.commit();
        }
        if (journal != null) {
          journal.finish(input, tally);
        }
        total.add(tally);
        left -= input.bytes();
        remark(done, files.all().size(), all - left, all, input, tally);
      }
    }
    capacity.ifPresent(limit -> requireFits(limit, filter.expectedFpp()));
    return total;
  }

  private InputStream open(CorpusFiles.CorpusFile input, Progress progress) throws IOException {
    return new Inputs.Input(input.path(), new DecompressOption(), streams, progress).open();
  }

  private static void count(RecordBatch batch, CorpusTally tally) {
    for (int i = 0; i < batch.count(); i++) {
      tally.malformed += batch.isMalformed(i) ? 1 : 0;
      tally.withoutText += batch.hasText(i) || batch.isMalformed(i) ? 0 : 1;
    }
    tally.records += batch.count();
    tally.allUnits += batch.units().count();
  }

  /** Stops as soon as the answers should no longer be relied upon. */
  private void requireRoom(Capacity limit, UnitFilter decisions) {
    requireFits(limit, decisions.fpp());
  }

  private void requireFits(Capacity limit, double fpp) {
    if (limit.isOverfull(fpp)) {
      throw new CommandException(
          "filter is overfull: its fpp is %s, requested %s; most new units would be dropped as"
              + " repeats; rerun with a larger -n, or without -n to let it grow",
          NumberFormats.number(fpp), NumberFormats.number(limit.requestedFpp()));
    }
  }

  private void remark(
      int done, int files, long bytes, long all, CorpusFiles.CorpusFile input, CorpusTally tally) {
    long now = System.nanoTime();
    if (now < nextRemark || bytes == 0) {
      return;
    }
    nextRemark = now + REMARK_NANOS;
    Duration left = Duration.ofNanos((long) ((double) (now - start) / bytes * (all - bytes)));
    report.remark(
        String.format(
            Locale.ROOT,
            "tamis %s: %s: %d records, %d kept; %d of %d files, %.0f %%, about %d:%02d:%02d left",
            command,
            input.path(),
            tally.records,
            tally.kept,
            done,
            files,
            100.0 * bytes / all,
            left.toHours(),
            left.toMinutesPart(),
            left.toSecondsPart()),
        streams.err());
  }
}
