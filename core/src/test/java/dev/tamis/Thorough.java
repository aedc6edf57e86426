package dev.tamis;

/** Sizes of tests: a sample by default, all of it with {@code -P thorough}. */
public final class Thorough {

  private static final boolean THOROUGH = Boolean.getBoolean("tamis.tests.thorough");

  private Thorough() {}

  /** Returns how many to test: trials, keys, or the step through what is damaged. */
  public static int or(int ordinary, int thorough) {
    return THOROUGH ? thorough : ordinary;
  }
}
