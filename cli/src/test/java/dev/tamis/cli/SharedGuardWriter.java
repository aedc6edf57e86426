package dev.tamis.cli;

import dev.tamis.HashedMutableFilter;
import dev.tamis.hash.KeyHasher;
import dev.tamis.redis.RedisBloomFilter;
import dev.tamis.redis.RedisBloomFilterBuilder;
import dev.tamis.redis.RedisLink;
import dev.tamis.tools.guard.SharedFilter;
import dev.tamis.tools.guard.SharedFilterException;
import dev.tamis.tools.guard.SharedStoreGuard;
import dev.tamis.tools.guard.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A process that puts keys into a store by a guard that others share, and says when each is in. */
final class SharedGuardWriter {

  /** Kept, because the log manager would forget the level with the logger. */
  private static final Logger LOG = Logger.getLogger("dev.tamis.tools.guard");

  static {
    LOG.setLevel(Level.OFF); // losses, each with its warning
  }

  private SharedGuardWriter() {}

  static SharedStoreGuard<Long, String> guard(RedisLink link, Path directory) {
    return SharedStoreGuard.builder(new InRedis(link))
        .retryAfter(Duration.ofMillis(1))
        .build(new Folder(directory));
  }

  /**
   * Takes the server's port, the directory of the store, the first key and the one after the last.
   */
  public static void main(String[] args) {
    try (RedisLink link = SharedQueueVictim.link(Integer.parseInt(args[0]))) {
      SharedStoreGuard<Long, String> guard = guard(link, Path.of(args[1]));
      for (long key = Long.parseLong(args[2]); key < Long.parseLong(args[3]); key++) {
        putUntilTold(guard, key);
        System.out.println(key);
      }
    }
  }

  private static void putUntilTold(SharedStoreGuard<Long, String> guard, long key) {
    while (true) {
      try {
        boolean unused = guard.put(key, "value " + key);
        return;
      } catch (SharedFilterException e) {
        LOG.log(Level.INFO, "lost twice meanwhile", e);
      }
    }
  }

  /**
   * The filter in Redis.
   *
   * @param link the way to it
   */
  record InRedis(RedisLink link) implements SharedFilter<Long> {

    private static final String NAME = "keys";

    private RedisBloomFilterBuilder<Long> builder() {
      return RedisBloomFilter.<Long>builder(link, NAME, KeyHasher.longs())
          .expectedKeys(10_000)
          .fpp(0.001);
    }

    @Override
    public HashedMutableFilter<Long> open() {
      return builder().recreateIfLost();
    }

    @Override
    public HashedMutableFilter<Long> replace() {
      boolean unused = RedisBloomFilter.delete(link, NAME);
      return builder().recreateIfLost();
    }
  }

  /**
   * A store that processes can share: a file for each key.
   *
   * @param directory where they are
   */
  record Folder(Path directory) implements Store<Long, String> {

    @SuppressWarnings("StreamResourceLeak") // the guard closes it
    Stream<Long> keys() throws IOException {
      return Files.list(directory).map(path -> Long.valueOf(path.getFileName().toString()));
    }

    @Override
    public @Nullable String get(Long key) {
      try {
        Path file = directory.resolve(key.toString());
        return Files.exists(file) ? Files.readString(file) : null;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean put(Long key, String value) {
      try {
        Files.writeString(directory.resolve(key.toString()), value);
        return true; // it cannot tell
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean remove(Long key) {
      try {
        return Files.deleteIfExists(directory.resolve(key.toString()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
