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
 * De-duplication that is never wrong, in two passes over regular files.
 *
 * <p>The first pass puts all lines into a filter and notes those that it may have held before. A
 * line that was not noted is there once only. The second pass writes: lines that were not noted,
 * and of the others the first of each, by comparing them.
 */
final class ExactDedup {

  private final Inputs inputs;
  private final Progress progress;
  private final LineSet doubtful;
  private final ToLongFunction<Line> hashing;
  private final long[] hashes = new long[LineReader.MAX_LINES];
  private final int[] indexes = new int[LineReader.MAX_LINES];
  private List<FileStamp> stamps = List.of();
  private long notedLines;
  private long certainlyNew;
  private long unique;
  private double fpp;
  private long filterBytes;

  ExactDedup(Inputs inputs, Progress progress, HashFunction function) {
    this.inputs = inputs;
    this.progress = progress;
    this.doubtful = new LineSet(function);
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
      notedLines = reader.lines();
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
    doubtful.fetch(hashes, noted);
    for (int i = 0; i < noted; i++) {
      doubtful.add(hashes[i], reader.line(indexes[i]));
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
        "lines written", writer.lines(), duplicates ? notedLines - unique : unique);
  }

  private void markFirst(LineReader reader, int count, boolean[] first) {
    doubtful.fetch(reader.hashes(), count);
    for (int i = 0; i < count; i++) {
      first[i] = doubtful.ask(reader.hashes()[i], reader.line(i)) != LineSet.Answer.REPEATED;
      if (first[i]) {
        unique++;
      }
    }
  }

  /**
   * Returns the figures of both passes. {@code settled} are the lines that the filter alone would
   * have dropped wrongly.
   */
  Facts account() {
    return new Facts()
        .count("lines", notedLines)
        .count("unique", unique)
        .count("duplicates", notedLines - unique)
        .number("fpp", fpp)
        .count("expected-wrong-drops", 0)
        .count("settled", unique - certainlyNew)
        .memory(filterBytes + doubtful.sizeInBytes());
  }

  private void requireUnchanged(long lines) throws IOException {
    List<FileStamp> now = stamps();
    for (int i = 0; i < now.size(); i++) {
      if (!now.get(i).equals(stamps.get(i))) {
        throw new CommandException(
            inputs.paths().get(i)
                + ": changed while it was read; do not use the output, run again");
      }
    }
    if (lines != notedLines) {
      throw new CommandException(
          String.format(
              Locale.ROOT,
              "the input had %d lines at first and %d then; do not use the output, run again",
              notedLines,
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
