package dev.tamis.crawler.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Snapshots of a queue's filter, each named after the first log record it lacks.
 *
 * <p>Usually there is one, and a second one until the older is deleted.
 */
final class FilterSnapshots {

  private static final Pattern NAME = Pattern.compile("seen-([0-8][0-9]{18})\\.tamis");

  private final Path directory;

  FilterSnapshots(Path directory) {
    this.directory = directory;
  }

  /** Returns the number of the newest snapshot: the first log record it lacks; 0 if none. */
  long newest() throws IOException {
    return numbers().stream().max(Comparator.naturalOrder()).orElse(0L);
  }

  private List<Long> numbers() throws IOException {
    List<Long> numbers = new ArrayList<>();
    try (Stream<Path> paths = Files.list(directory)) {
      for (Path path : paths.toList()) {
        Matcher matcher = NAME.matcher(path.getFileName().toString());
        if (matcher.matches()) {
          numbers.add(Long.parseLong(matcher.group(1)));
        }
      }
    }
    return numbers;
  }

  /**
   * Reads the snapshot with this number; for 0, returns an empty filter.
   *
   * @throws FileSystemException if it is damaged, or its parameters are not the queue's
   */
  HashedMutableFilter<CharSequence> load(
      long number, Parameters parameters, KeyHasher<CharSequence> hasher) throws IOException {
    if (number == 0) {
      return empty(parameters, hasher);
    }
    Path path = path(number);
    if (parameters.onFull() == OnFull.GROW) {
      ScalableBloomFilter<CharSequence> growing = FilterFile.loadScalable(path, hasher);
      requireFit(path, growing.fpp() == parameters.fpp());
      return growing;
    }
    BloomFilter<CharSequence> fixed = FilterFile.loadBloom(path, hasher);
    requireFit(
        path, fixed.expectedKeys() == parameters.expectedKeys() && fixed.fpp() == parameters.fpp());
    return fixed;
  }

  private static void requireFit(Path path, boolean fits) throws FileSystemException {
    if (!fits) {
      throw new FileSystemException(
          path.toString(),
          null,
          "expectedKeys or fpp differ from the queue's; restore the directory from a backup");
    }
  }

  static HashedMutableFilter<CharSequence> empty(
      Parameters parameters, KeyHasher<CharSequence> hasher) {
    long keys = parameters.expectedKeys();
    return parameters.onFull() == OnFull.GROW
        ? ScalableBloomFilter.create(hasher, keys, parameters.fpp())
        : BloomFilter.create(hasher, keys, parameters.fpp());
  }

  /** Saves a snapshot, then deletes the older ones. */
  void save(long number, Storable filter) throws IOException {
    uninterrupted(() -> FilterFile.save(path(number), filter));
    for (long older : numbers()) {
      if (older < number) {
        Files.deleteIfExists(path(older));
      }
    }
  }

  /** Runs an action that can be repeated, and defers interrupts, which would close its file. */
  private static void uninterrupted(Save save) throws IOException {
    boolean interrupted = false;
    try {
      while (true) {
        interrupted |= Thread.interrupted();
        try {
          save.run();
          return;
        } catch (IOException e) {
          if (!(e instanceof ClosedByInterruptException)
              && !(e.getCause() instanceof ClosedByInterruptException)) {
            throw e;
          }
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Path path(long number) {
    return directory.resolve(String.format(Locale.ROOT, "seen-%019d.tamis", number));
  }

  private interface Save {
    void run() throws IOException;
  }
}
