package dev.tamis.filter;

import dev.tamis.hash.HashId;
import dev.tamis.sizing.Shape;
import java.util.Optional;

/** What keeps two filters from being merged, by its name and both values. */
final class Compatibility {

  private Compatibility() {}

  static Optional<String> difference(Shape here, HashId hashHere, Shape there, HashId hashThere) {
    if (here.layout() != there.layout()) {
      return difference("layout", here.layout().label(), there.layout().label());
    }
    if (here.bits() != there.bits()) {
      return difference("number of bits", here.bits(), there.bits());
    }
    if (here.hashes() != there.hashes()) {
      return difference("number of hashes", here.hashes(), there.hashes());
    }
    return hashHere.difference(hashThere);
  }

  static Optional<String> difference(String field, Object here, Object there) {
    return Optional.of(field + " differs: " + here + " and " + there);
  }

  /**
   * Checks that there is no difference.
   *
   * @throws IllegalArgumentException naming it
   */
  static void require(Optional<String> difference) {
    difference.ifPresent(
        reason -> {
          throw new IllegalArgumentException("the filters are not compatible: " + reason);
        });
  }
}
