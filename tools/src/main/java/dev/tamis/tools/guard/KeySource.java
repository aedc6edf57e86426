package dev.tamis.tools.guard;

import java.util.stream.Stream;

/**
 * Opens the stream of all keys of a store, from which a guard is rebuilt.
 *
 * <p>It is opened once for each rebuild and closed afterwards. It must yield every key that the
 * store has from the opening to the end, in any order, with or without repeats and keys that come
 * or go meanwhile. The stream may be parallel.
 */
@FunctionalInterface
public interface KeySource<K> {

  /** Opens the stream; an exception makes the rebuild fail. */
  Stream<K> open() throws Exception;
}
