package dev.tamis.crawler.queue;

import dev.tamis.HashedMutableFilter;
import dev.tamis.Storable;
import dev.tamis.file.FilterFile;
import dev.tamis.filter.BloomFilter;
import dev.tamis.filter.ScalableBloomFilter;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
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
 * The saved filters of a queue, each named after the change that it does not have any more.
 *
 * <p>Normally there is one; a second one for as long as it takes to delete the older.
 */
final class FilterFiles {

  private static final Pattern NAME = Pattern.compile("seen-(\\d{19})\\.tamis");

  private final Path directory;

  FilterFiles(Path directory) {
    this.directory = directory;
  }

  /** Returns the change from which on the newest filter lacks them; 0 if there is no filter. */
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
   * Reads the filter with this number, or makes an empty one for 0.
   *
   * @throws FileSystemException if it is damaged, or not a filter for these parameters
   */
  HashedMutableFilter<CharSequence> load(long number, Parameters parameters) throws IOException {
    if (number == 0) {
      return empty(parameters);
    }
    Path path = path(number);
    HashedMutableFilter<CharSequence> filter = FilterFile.loadMutable(path, KeyHasher.text());
    boolean fits =
        parameters.onFull() == OnFull.GROW
            ? filter instanceof ScalableBloomFilter<CharSequence> growing
                && growing.fpp() == parameters.fpp()
            : filter instanceof BloomFilter<CharSequence> fixed
                && fixed.expectedKeys() == parameters.expectedKeys()
                && fixed.fpp() == parameters.fpp();
    if (!fits) {
      throw new FileSystemException(
          path.toString(), null, "is not a filter for the queue's expectedKeys, fpp and onFull");
    }
    return filter;
  }

  /** Makes an empty filter. */
  static HashedMutableFilter<CharSequence> empty(Parameters parameters) {
    long keys = parameters.expectedKeys();
    return parameters.onFull() == OnFull.GROW
        ? ScalableBloomFilter.create(KeyHasher.text(), keys, parameters.fpp())
        : BloomFilter.create(KeyHasher.text(), keys, parameters.fpp());
  }

  /** Saves a filter, then deletes the older ones. */
  void save(long number, Storable filter) throws IOException {
    Uninterrupted.run(() -> FilterFile.save(path(number), filter));
    for (long older : numbers()) {
      if (older < number) {
        Files.deleteIfExists(path(older));
      }
    }
  }

  private Path path(long number) {
    return directory.resolve(String.format(Locale.ROOT, "seen-%019d.tamis", number));
  }
}
