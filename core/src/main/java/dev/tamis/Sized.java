package dev.tamis;

/** A filter, or the sizing of one, of fixed capacity: a number of keys at an fpp. */
public interface Sized {

  /** Returns n, the distinct keys it was built for. */
  long expectedKeys();

  /** Returns the fpp it was built for, or has when the expected keys are in. */
  double fpp();

  /** Returns both. */
  default Capacity capacity() {
    return new Capacity(expectedKeys(), fpp());
  }
}
