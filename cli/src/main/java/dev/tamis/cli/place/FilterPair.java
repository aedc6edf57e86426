package dev.tamis.cli.place;

import dev.tamis.Mergeable;
import dev.tamis.cli.console.CommandException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Two filters that a command merges or compares, with their places for messages. */
public record FilterPair(
    FilterPlace firstPlace,
    Loaded.OfFilter first,
    FilterPlace secondPlace,
    Loaded.OfFilter second) {

  /** Merges the second into the first; refuses filters that cannot be merged. */
  public void merge() {
    Mergeable<?> into = mergeable(firstPlace, first);
    Mergeable<?> from = mergeable(secondPlace, second);
    if (!isOfOneKind()) {
      throw new CommandException(
          "%s and %s: cannot be merged: the first is a %s filter, the second a %s one; build both"
              + " with the same -t",
          firstPlace, secondPlace, first.kind(), second.kind());
    }
    requireCompatible();
    try {
      putAll(into, from);
    } catch (IllegalArgumentException e) { // too many stages, or too high an fpp
      throw new CommandException("%s and %s: %s", firstPlace, secondPlace, e.getMessage());
    }
  }

  private static Mergeable<?> mergeable(FilterPlace place, Loaded.OfFilter loaded) {
    if (loaded.filter() instanceof Mergeable<?> mergeable) {
      return mergeable;
    }
    throw notMergeable(place, loaded);
  }

  public static CommandException notMergeable(FilterPlace place, Loaded loaded) {
    return new CommandException(
        "%s: %s filters cannot be merged; build one filter of all lines", place, loaded.kind());
  }

  @SuppressWarnings("unchecked") // both are of one kind, F
  private static <F extends Mergeable<F>> void putAll(Mergeable<?> into, Mergeable<?> from) {
    ((F) into).putAll((F) from);
  }

  public boolean isOfOneKind() {
    return first.stored().kind() == second.stored().kind();
  }

  public void requireCompatible() {
    Optional<String> difference = first.filter().traits().difference(second.filter().traits());
    difference.ifPresent(
        reason -> {
          throw notCompatible(firstPlace, secondPlace, "the two are not compatible: " + reason);
        });
  }

  public static CommandException notCompatible(
      FilterPlace first, FilterPlace second, @Nullable String reason) {
    boolean isOnServer = first instanceof RedisName || second instanceof RedisName;
    return new CommandException(
        "%s and %s: %s; build both with the same -n, -p and -t%s",
        first,
        second,
        reason,
        isOnServer ? ", also on a server, where dedup -s makes another layout" : "");
  }
}
