package dev.tamis.cli.size;

/** Computes the size of one type of filter. */
public interface Sizer {

  /**
   * Computes what a request leaves open.
   *
   * @param type the name in the row
   * @throws IllegalArgumentException if no such filter is possible, saying why
   */
  SizeRow solve(String type, SizeRequest request);

  boolean hasHashes();
}
