package dev.tamis.cli.size;

/** Knows how large one type of filter is. */
public interface Sizer {

  /**
   * Answers a question.
   *
   * @param type what the row is to be called
   * @throws IllegalArgumentException if no filter can be so, saying why
   */
  SizeRow answer(String type, SizeRequest question);

  /** Returns whether the type has a k that can be chosen. */
  boolean hasHashes();
}
