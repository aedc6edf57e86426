package dev.tamis.crawler.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What several tests of queues do. */
final class Queues {

  private Queues() {}

  /** Returns a source of the same secret key each time, for tests that count false positives. */
  static SecureRandom fixedRandom() {
    return new FixedRandom();
  }

  /** Polls until nothing is due. */
  static List<String> drain(VisitQueue queue) {
    List<String> urls = new ArrayList<>();
    for (Optional<String> url = queue.poll(); url.isPresent(); url = queue.poll()) {
      urls.add(url.get());
    }
    return urls;
  }

  /** Returns the bytes of all files in a directory. */
  static long bytesIn(Path directory) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.mapToLong(Queues::size).sum();
    }
  }

  private static long size(Path path) {
    try {
      return Files.size(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the names and sizes of all files in a directory. */
  static String describe(Path directory) {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths.map(path -> path.getFileName() + " " + size(path)).toList().toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the files whose names begin so, in their order. */
  static List<Path> files(Path directory, String prefix) throws IOException {
    try (Stream<Path> paths = Files.list(directory)) {
      return paths
          .filter(path -> path.getFileName().toString().startsWith(prefix))
          .sorted()
          .toList();
    }
  }

  /** Copies the files of a directory into another. */
  static Path copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    for (Path path : files(from, "")) {
      Files.copy(path, to.resolve(path.getFileName()));
    }
    return to;
  }

  /** Not random at all. */
  private static final class FixedRandom extends SecureRandom {
    private static final long serialVersionUID = 1;

    @Override
    public void nextBytes(byte[] bytes) {
      Arrays.fill(bytes, (byte) 7);
    }
  }
}
