package dev.tamis.flink;

import dev.tamis.Filter;
import dev.tamis.hash.KeyHasher;
import java.io.Serializable;

/**
 * The source from which a {@link LookupGuard} loads and reloads its filter.
 *
 * <p>From a file: {@link #file}. From Redis, with {@code tamis-redis} and a client in the job:
 *
 * <pre>{@code
 * FilterSource<String> redis =
 *     () -> {
 *       try (RedisLink link = JedisLink.to(server, Duration.ofSeconds(1), 1)) {
 *         ByteArrayOutputStream bytes = new ByteArrayOutputStream();
 *         RedisBloomFilter.open(link, "customers", KeyHasher.text()).writeTo(bytes);
 *         return BloomFilter.readFrom(
 *             new ByteArrayInputStream(bytes.toByteArray()), KeyHasher.text(), bytes.size());
 *       }
 *     };
 * }</pre>
 *
 * <p>It is sent to every task with the job, so everything it refers to must be serializable.
 *
 * @param <K> the type of key
 */
@FunctionalInterface
public interface FilterSource<K> extends Serializable {

  /**
   * Returns the filter as it is at this moment, or the one returned before if that is the same.
   * Called by one thread at a time.
   *
   * @throws Exception if it cannot be loaded; a guard then keeps the one it has
   */
  Filter<K> load() throws Exception;

  /**
   * Returns the filter of a file, which is read into the heap, and again once it has been replaced.
   *
   * @param path the path of the file on every machine that runs a task
   * @param hasher must hash as the one that filled the filter
   */
  static <K> FilterSource<K> file(String path, KeyHasher<? super K> hasher) {
    return new FileSource<>(path, hasher);
  }
}
