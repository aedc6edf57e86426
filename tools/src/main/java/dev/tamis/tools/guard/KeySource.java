package dev.tamis.tools.guard;

import java.util.stream.Stream;

/**
 * Opens the stream of all keys of a store, from which a guard is rebuilt.
 *
 * <p>It is opened once for each rebuild and closed afterwards. It must give every key that the
 * store has from the opening to the end; whether it gives keys that come or go meanwhile does not
 * matter, nor their order, nor a key given twice. The stream may be parallel.
 *
 * @param <K> the type of key
 */
@FunctionalInterface
public interface KeySource<K> {

  /**
   * Opens the stream.
   *
   * @throws Exception if the keys cannot be had; the rebuild has failed then
   */
  Stream<K> open() throws Exception;
}
