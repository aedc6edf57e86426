package dev.tamis.cli.dedup;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.report.NumberParser;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of de-duplication without false positives. */
final class ExactOptions {

  /** Each of many partitions has a buffer, which should not be tiny. */
  static final long MIN_BUFFER_BYTES = 1 << 20;

  /** The filter may take half of the heap too. */
  private static final int SHARE_OF_HEAP = 4;

  @Option(
      names = {"-x", "--exact"},
      description =
          "Drop no distinct line: the input is read two or three times, so regular files only.")
  private boolean exact;

  @Option(
      names = {"-c", "--count"},
      description = "With -x: print before each line how often it occurs, as uniq -c does.")
  private boolean count;

  @Option(
      names = {"-S", "--buffer-size"},
      paramLabel = "SIZE",
      converter = NumberParser.BufferConverter.class,
      description =
          "With -x: memory for repeated lines, after which they go to a temporary file (default: a"
              + " quarter of the heap).")
  private @Nullable Long bufferBytes;

  @Option(
      names = {"-T", "--temporary-directory"},
      paramLabel = "DIR",
      description = "With -x: where that file is (default: $TMPDIR, or else /tmp).")
  private @Nullable Path directory;

  boolean isExact() {
    return exact;
  }

  boolean isCounting() {
    return count;
  }

  void check(boolean duplicates) throws IOException {
    if (count && !exact) {
      throw new CommandException(
          "-c needs -x: a filter cannot count lines; tamis stats lines estimates the counts of the"
              + " most frequent ones");
    }
    if (count && duplicates) {
      throw new CommandException(
          "-c cannot be combined with -d, which prints each repeat; leave one out");
    }
    if (!exact && (bufferBytes != null || directory != null)) {
      throw new CommandException(
          "-S and -T are for -x: nothing else needs temporary files; add -x or leave them out");
    }
    if (bufferBytes != null && bufferBytes < MIN_BUFFER_BYTES) {
      throw new CommandException(
          "-S: must be at least %s bytes, got %s", MIN_BUFFER_BYTES, bufferBytes);
    }
    if (exact) {
      SpillFile.requireDirectory(directory());
    }
  }

  long bufferBytes() {
    return bufferBytes != null
        ? bufferBytes
        : Math.max(MIN_BUFFER_BYTES, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
  }

  Path directory() {
    if (directory != null) {
      return directory;
    }
    String variable = System.getenv("TMPDIR");
    return Path.of(
        variable != null && !variable.isEmpty() ? variable : System.getProperty("java.io.tmpdir"));
  }
}
