package dev.tamis.cli.dedup;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Inputs;
import dev.tamis.cli.console.Progress;
import dev.tamis.cli.lines.KeyedHash;
import dev.tamis.cli.lines.KeyedHash.Counts;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.lines.LineKey;
import dev.tamis.cli.lines.LineReader;
import dev.tamis.cli.lines.LineSet;
import dev.tamis.cli.lines.LineWriter;
import dev.tamis.cli.place.KeyOptions;
import dev.tamis.cli.report.Reconciliation;
import dev.tamis.cli.report.Report;
import dev.tamis.filter.BloomFilter;
import dev.tamis.hash.HashFunction;
import dev.tamis.sizing.Layout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * De-duplication without false positives, in passes over regular files.
 *
 * <p>The first pass puts all lines into a filter and collects the positives, which may be repeats.
 * The last pass writes every other line, and the first of equal collected ones.
 *
 * <p>If the collected lines exceed their memory, a second filter replaces them; a pass in between
 * copies the lines it reports to a temporary file, in which repeats are found.
 */
final class ExactDedup implements Closeable {

  /** Of a filter of lines that may be repeats: one in a hundred others is copied needlessly. */
  private static final int CANDIDATE_BITS = 10;

  /** The table of a set that has just grown, with counts, and the length of a line. */
  private static final int SET_BYTES_PER_LINE = 48;

  /** Numbers are differences in a partition, of three bytes or less. */
  private static final int SPILL_BYTES_PER_LINE = 10;

  private final Inputs inputs;
  private final Progress progress;
  private final HashFunction function;
  private final KeyOptions keys;
  private final byte delimiter;
  private final Limits limits;
  private final boolean counting;
  private final long[] hashes = new long[LineReader.MAX_LINES];
  private final int[] indexes = new int[LineReader.MAX_LINES];
  private @Nullable LineSet candidates;
  private @Nullable BloomFilter<Line> candidateFilter;
  private @Nullable Spill spill;
  private List<FileStamp> stamps = List.of();
  private long inputLines;
  private long certainlyNew;
  private long unique;
  private double fpp;
  private long filterBytes;
  private Counts counts = Counts.NONE;
  private long peakBytes;

  /** The limits of a run; {@code lines} and {@code inputBytes} are estimates. */
  record Limits(long memoryBytes, Path directory, long lines, long inputBytes) {}

  /** Returns the most that the temporary file can take, 0 if all lines fit in memory. */
  static long temporaryBytes(Limits limits) {
    long inMemory = limits.inputBytes() + SET_BYTES_PER_LINE * limits.lines();
    return inMemory <= limits.memoryBytes()
        ? 0
        : limits.inputBytes() + SPILL_BYTES_PER_LINE * limits.lines();
  }

  ExactDedup(
      Inputs inputs,
      Progress progress,
      HashFunction function,
      KeyOptions keys,
      byte delimiter,
      Limits limits,
      boolean counting) {
    this.inputs = inputs;
    this.progress = progress;
    this.function = function;
    this.keys = keys;
    this.delimiter = delimiter;
    this.limits = limits;
    this.counting = counting;
    this.candidates = new LineSet(function, counting);
  }

  /** Makes the first pass, with an empty filter of the same hash. */
  void note(BloomFilter<Line> filter) throws IOException {
    stamps = stamps();
    KeyedHash hashing = hashing();
    LineKey key = keys.newKey(delimiter);
    try (LineReader reader = reader(hashing)) {
      boolean[] first = new boolean[LineReader.MAX_LINES];
      for (int count = reader.next(); count > 0; count = reader.next()) {
        filter.putHashes(reader.hashes(), reader.keyed(), first);
        note(reader, first, key);
      }
      inputLines = reader.lines();
    }
    counts = hashing.counts();
    certainlyNew = filter.acceptedKeys();
    fpp = filter.expectedFpp();
    filterBytes = filter.bitSize() / Byte.SIZE;
  }

  private KeyedHash hashing() {
    return keys.newHash(delimiter, Line.hashing(function));
  }

  private LineReader reader(KeyedHash hashing) {
    return inputs.lines(hashing, progress, () -> {});
  }

  private void note(LineReader reader, boolean[] first, LineKey key) {
    int noted = 0;
    for (int i = 0; i < reader.keyed(); i++) {
      if (!first[i]) {
        indexes[noted] = reader.keyedLine(i);
        hashes[noted] = reader.hashes()[i];
        noted++;
      }
    }
    int collected = candidates == null ? 0 : collect(candidates, reader, noted, key);
    if (candidateFilter != null) {
      for (int i = collected; i < noted; i++) {
        candidateFilter.putHash(hashes[i]);
      }
    }
  }

  /** Returns how many of the noted lines fit in memory. */
  private int collect(LineSet set, LineReader reader, int noted, LineKey key) {
    set.prefetch(hashes, noted);
    for (int i = 0; i < noted; i++) {
      set.add(hashes[i], key.of(reader.line(indexes[i])));
      if (set.sizeInBytes() > limits.memoryBytes()) {
        forget(set);
        return i + 1;
      }
    }
    return noted;
  }

  /** Replaces the collected lines by a filter of them. */
  private void forget(LineSet set) {
    long most = Math.min(Layout.MAX_BITS, limits.memoryBytes() / 2 * Byte.SIZE);
    long least = Math.min(most, limits.memoryBytes());
    BloomFilter<Line> filter =
        BloomFilter.builder(Line.HASHER)
            .bits(Math.max(least, Math.min(most, CANDIDATE_BITS * limits.lines())))
            .expectedKeys(Math.max(1, limits.lines()))
            .singleThreaded()
            .build();
    set.forEachHash(filter::putHash);
    candidateFilter = filter;
    candidates = null;
    peakBytes = set.sizeInBytes() + filter.bitSize() / Byte.SIZE;
  }

  void write(LineWriter writer, boolean duplicates) throws IOException {
    Occurrences occurrences = occurrences();
    LineKey key = keys.newKey(delimiter);
    try (LineReader reader = reader(hashing())) {
      boolean[] first = new boolean[LineReader.MAX_LINES];
      long[] found = new long[LineReader.MAX_LINES];
      for (int count = reader.next(); count > 0; count = reader.next()) {
        long number = reader.lines() - count;
        occurrences.prefetch(reader.hashes(), reader.keyed());
        Arrays.fill(found, 0, count, 1); // of lines without a key
        for (int i = 0; i < reader.keyed(); i++) {
          int index = reader.keyedLine(i);
          Line line = reader.line(index);
          found[index] = occurrences.of(number + index, reader.hashes()[i], key.of(line));
          first[i] = found[index] != 0;
          unique += first[i] ? 1 : 0;
        }
        reader.spread(first, true, duplicates);
        if (!counting) {
          writer.write(reader, first, count, !duplicates);
        }
        for (int i = 0; counting && i < count; i++) {
          if (first[i]) {
            writer.write(found[i], reader.line(i));
          }
        }
      }
      writer.flush();
      requireUnchanged(reader.lines());
    }
    Reconciliation.check(
        "lines written",
        writer.lines(),
        duplicates ? counts.keyed(inputLines) - unique : unique + counts.kept());
  }

  private Occurrences occurrences() throws IOException {
    LineSet set = candidates;
    if (set != null) {
      if (counting) {
        eachLine((number, hash, key) -> set.count(hash, key));
      }
      peakBytes = set.sizeInBytes();
      return new Occurrences.InMemory(set, counting);
    }
    BloomFilter<Line> filter = requireFilter();
    Spill opened =
        new Spill(
            limits.directory(), function, counting, limits.inputBytes(), limits.memoryBytes());
    spill = opened;
    eachLine(
        (number, hash, key) -> {
          if (filter.mightContainHash(hash)) {
            opened.add(number, hash, key);
          }
        });
    candidateFilter = null;
    Occurrences resolved = opened.resolve();
    peakBytes = Math.max(peakBytes, opened.memoryBytes());
    return resolved;
  }

  private BloomFilter<Line> requireFilter() {
    if (candidateFilter == null) {
      throw new IllegalStateException("lines are written once");
    }
    return candidateFilter;
  }

  private void eachLine(Visitor visitor) throws IOException {
    LineKey key = keys.newKey(delimiter);
    try (LineReader reader = reader(hashing())) {
      for (int count = reader.next(); count > 0; count = reader.next()) {
        long number = reader.lines() - count;
        for (int i = 0; i < reader.keyed(); i++) {
          int index = reader.keyedLine(i);
          visitor.visit(number + index, reader.hashes()[i], key.of(reader.line(index)));
        }
      }
    }
  }

  private interface Visitor {
    void visit(long number, long hash, Line key) throws IOException;
  }

  /** Returns the figures; "corrected" are the lines that the filter alone would drop wrongly. */
  Report summary() {
    return new Report()
        .count("lines", inputLines)
        .count("unique", unique)
        .count("duplicates", counts.keyed(inputLines) - unique)
        .number("fpp", fpp)
        .count("expected-wrong-drops", 0)
        .count("false-positives-corrected", unique - certainlyNew)
        .memory(filterBytes + peakBytes)
        .size("temporary", spill == null ? 0 : spill.fileBytes());
  }

  /** Returns the counts of one pass. */
  Counts counts() {
    return counts;
  }

  @Override
  public void close() throws IOException {
    if (spill != null) {
      spill.close();
    }
  }

  private void requireUnchanged(long lines) throws IOException {
    List<FileStamp> now = stamps();
    for (int i = 0; i < now.size(); i++) {
      if (!now.get(i).equals(stamps.get(i))) {
        throw new CommandException(
            "%s: changed while it was read; discard the output and rerun", inputs.paths().get(i));
      }
    }
    if (lines != inputLines) {
      throw new CommandException(
          "input: changed between the passes: %d lines, then %d; discard the output and rerun",
          inputLines, lines);
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

  private record FileStamp(long size, FileTime modified, @Nullable Object key) {}

  /** Finds first occurrences of lines. */
  interface Occurrences {

    default void prefetch(long[] hashes, int count) {}

    /** Returns 0 for a repeat, else the count of the line, or 1 where lines are not counted. */
    long of(long number, long hash, Line key) throws IOException;

    final class InMemory implements Occurrences {

      private final LineSet candidates;
      private final boolean counting;

      InMemory(LineSet candidates, boolean counting) {
        this.candidates = candidates;
        this.counting = counting;
      }

      @Override
      public void prefetch(long[] hashes, int count) {
        candidates.prefetch(hashes, count);
      }

      @Override
      public long of(long number, long hash, Line key) {
        return switch (candidates.query(hash, key)) {
          case ABSENT -> 1;
          case FIRST -> counting ? candidates.countOf(hash, key) : 1;
          case REPEATED -> 0;
        };
      }
    }
  }
}
