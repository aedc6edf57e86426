package dev.tamis;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import dev.tamis.hash.HashId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a filter or sketch by name, in order, and its hash.
 *
 * <p>Printing, {@linkplain #difference compatibility} and the command line's {@code info} use this
 * one list. Immutable.
 */
public final class Traits {

  private final String type;
  private final List<Trait> all;

  private Traits(String type, List<Trait> all) {
    this.type = type;
    this.all = List.copyOf(all);
  }

  /** Starts a list without traits; {@code type} is the name of the class. */
  public static Traits of(String type) {
    return new Traits(requireNonNull(type, "type"), List.of());
  }

  /** Returns these traits and one more, in which two filters must agree to be merged. */
  public Traits matching(String name, Object value) {
    return with(new Trait(name, value, true));
  }

  /** Returns these traits and one more, in which two filters may differ and still be merged. */
  public Traits with(String name, Object value) {
    return with(new Trait(name, value, false));
  }

  /** Returns these traits and all of {@code others}, under the type of these. */
  public Traits with(Traits others) {
    List<Trait> more = new ArrayList<>(all);
    more.addAll(others.all);
    return new Traits(type, more);
  }

  private Traits with(Trait trait) {
    List<Trait> more = new ArrayList<>(all);
    more.add(trait);
    return new Traits(type, more);
  }

  /** Returns the traits in order. */
  public List<Trait> all() {
    return all;
  }

  /**
   * Returns the first trait that keeps two of one type from being merged, with both values; empty
   * if they agree in all that must match.
   */
  public Optional<String> difference(Traits other) {
    return all.stream()
        .filter(Trait::mustMatch)
        .flatMap(trait -> difference(trait, other.find(trait.name)).stream())
        .findFirst();
  }

  private @Nullable Object find(String name) {
    return all.stream()
        .filter(trait -> trait.name.equals(name))
        .map(Trait::value)
        .findFirst()
        .orElse(null);
  }

  private static Optional<String> difference(Trait here, @Nullable Object there) {
    if (here.value instanceof HashId id && there instanceof HashId otherId) {
      return id.difference(otherId);
    }
    return here.value.equals(there) ? Optional.empty() : difference(here.name, here.value, there);
  }

  private static Optional<String> difference(String name, Object here, @Nullable Object there) {
    return Optional.of(name + " differs: " + here + " and " + there);
  }

  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof Traits other && type.equals(other.type) && all.equals(other.all);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, all);
  }

  /** Returns the type and in parentheses each name with its value. */
  @Override
  public String toString() {
    return all.stream()
        .map(trait -> trait.name + "=" + trait.value)
        .collect(joining(", ", type + "(", ")"));
  }

  /** One parameter, with its name in words, and whether filters must agree in it to be merged. */
  public record Trait(String name, Object value, boolean mustMatch) {

    public Trait {
      requireNonNull(name, "name");
      requireNonNull(value, "value");
    }
  }
}
