package dev.tamis.interop;

/**
 * A filter of the other program, run by that program.
 *
 * @param <T> the type of key
 */
interface Other<T> {

  /** Puts a key and returns whether a bit changed. */
  boolean put(T key);

  boolean ask(T key);

  /** Returns its bytes as the other program writes them. */
  byte[] bytes();

  double expectedFpp();
}
