package dev.tamis.cli.dedup;

import dev.tamis.HashedMutableFilter;
import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineMatcher;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.lines.LineSet;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.cli.report.Facts;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.hash.HashFunction;
import dev.tamis.tools.dedup.Deduplicator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * De-duplication without false positives, in two passes over regular files.
 *
 * <p>The first pass puts all lines into a filter and collects the hits, which may be repeats. A
 * line that is not among them occurs once. The second pass writes those lines, and of the collected
 * ones the first occurrence of each, found by comparing bytes.
 */
final class ExactDedup {

  private final Inputs inputs;
  private final Progress progress;
  private final LineSet candidates;
  private final ToLongFunction<Line> hashing;
  private final long[] hashes = new long[LineReader.MAX_LINES];
  private final int[] indexes = new int[LineReader.MAX_LINES];
  private List<FileStamp> stamps = List.of();
  private long inputLines;
  private long certainlyNew;
  private long unique;
  private double fpp;
  private long filterBytes;

  ExactDedup(Inputs inputs, Progress progress, HashFunction function) {
    this.inputs = inputs;
    this.progress = progress;
    this.candidates = new LineSet(function);
    this.hashing = Line.hashing(function);
  }

  /**
   * Makes the first pass, with an empty filter that is not needed afterwards and hashes by the same
   * function.
   */
  void note(HashedMutableFilter<Line> filter) throws IOException {
    stamps = stamps();
    try (LineReader reader = inputs.lines(hashing, progress, () -> {})) {
      Deduplicator<Line> dedup = Deduplicator.over(filter);
      boolean[] first = new boolean[LineReader.MAX_LINES];
      for (int count = reader.next(); count > 0; count = reader.next()) {
        dedup.firstSeenHashes(reader.hashes(), count, first);
        note(reader, count, first);
      }
      inputLines = reader.lines();
    }
    certainlyNew = filter.acceptedKeys();
    fpp = filter.expectedFpp();
    filterBytes = filter.bitSize() / Byte.SIZE;
  }

  private void note(LineReader reader, int count, boolean[] first) {
    int noted = 0;
    for (int i = 0; i < count; i++) {
      if (!first[i]) {
        indexes[noted] = i;
        hashes[noted] = reader.hashes()[i];
        noted++;
      }
    }
    candidates.prefetch(hashes, noted);
    for (int i = 0; i < noted; i++) {
      candidates.add(hashes[i], reader.line(indexes[i]));
    }
  }

  /** Makes the second pass. */
  void write(LineWriter writer, boolean duplicates) throws IOException {
    try (LineReader reader = inputs.lines(hashing, progress, () -> {})) {
      LineMatcher isFirst = this::markFirst;
      isFirst.write(reader, !duplicates, writer);
      requireUnchanged(reader.lines());
    }
    Reconciliation.check(
        "lines written", writer.lines(), duplicates ? inputLines - unique : unique);
  }

  private void markFirst(LineReader reader, int count, boolean[] first) {
    candidates.prefetch(reader.hashes(), count);
    for (int i = 0; i < count; i++) {
      first[i] = candidates.query(reader.hashes()[i], reader.line(i)) != LineSet.Answer.REPEATED;
      if (first[i]) {
        unique++;
      }
    }
  }

  /**
   * Returns the figures of both passes. {@code false-positives-corrected} are the lines that the
   * filter alone would have dropped wrongly.
   */
  Facts summary() {
    return new Facts()
        .count("lines", inputLines)
        .count("unique", unique)
        .count("duplicates", inputLines - unique)
        .number("fpp", fpp)
        .count("expected-wrong-drops", 0)
        .count("false-positives-corrected", unique - certainlyNew)
        .memory(filterBytes + candidates.sizeInBytes());
  }

  private void requireUnchanged(long lines) throws IOException {
    List<FileStamp> now = stamps();
    for (int i = 0; i < now.size(); i++) {
      if (!now.get(i).equals(stamps.get(i))) {
        throw new CommandException(
            inputs.paths().get(i) + ": changed while it was read; discard the output and rerun");
      }
    }
    if (lines != inputLines) {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "input: changed between the passes: %d lines, then %d; discard the output and rerun",
              inputLines,
              lines));
    }
  }

  private List<FileStamp> stamps() throws IOException {
    List<FileStamp> all = new ArrayList<>();
    for (Path path : inputs.paths()) {
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      all.add(
          new FileStamp(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey()));
    }
    return all;
  }

  /** What changes when a file does. */
  private record FileStamp(long size, FileTime modified, @Nullable Object key) {}
}
