package dev.tamis.cli.place;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.lines.Line;
import dev.tamis.cli.report.Report;
import dev.tamis.file.FilterFile;
import dev.tamis.hash.HashFunction;
import dev.tamis.hash.HashKey;
import dev.tamis.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The options by which the keys of a filter were made of lines, as stored with it; none for whole
 * lines.
 */
public record KeyRule(String options) {

  private static final KeyRule LINES = new KeyRule("");

  /** What a filter of {@code tamis build} has, where lines end with NUL. */
  private static final KeyRule LINES_TO_NUL = new KeyRule("-z");

  /** The more telling first. */
  private static final List<String> NAMES =
      List.of("--csv", "--json-key", "-k", "-t", "-i", "--part", "-z");

  private static final Set<String> WITH_VALUE = Set.of("--json-key", "-k", "-t", "--part");

  /** Reads the rule of a regular file; a pipe is taken to have none. */
  public static KeyRule of(Path file) throws IOException {
    return Files.isRegularFile(file) ? ofText(FilterFile.keyType(file)) : LINES;
  }

  /** Takes what a filter states; a type of keys is no rule. */
  static KeyRule ofText(String keyType) {
    return keyType.startsWith("-") ? new KeyRule(keyType) : LINES;
  }

  public static KeyRule ofLines(byte delimiter) {
    return delimiter == 0 ? LINES_TO_NUL : LINES;
  }

  /** Refuses to continue a filter whose keys were made by another rule than this one. */
  public void requireToContinue(Object place, KeyRule its) {
    for (String name : NAMES) {
      if (!part(name).equals(its.part(name))) {
        throw new CommandException(
            "%s: %s differs: it was filled by %s and this run compares by %s; give the same"
                + " options, or name another one",
            place, name, its, this);
      }
    }
  }

  /** Returns the options, none for whole lines. */
  public List<String> words() {
    return options.isEmpty() ? List.of() : List.of(options.split(" ", -1));
  }

  /** Returns a row of the facts about a filter, none for whole lines. */
  public Report report() {
    return options.isEmpty() ? new Report() : new Report().text("rule", options);
  }

  /** Returns the hasher for a new filter with such keys. */
  public KeyHasher<Line> hasher(KeyHasher<Line> ofLines) {
    return options.isEmpty() ? ofLines : new Ruled(ofLines, options);
  }

  @SuppressWarnings("serial") // it is not
  private record Ruled(KeyHasher<Line> ofLines, String rule) implements KeyHasher<Line> {
    @Override
    public long hash(Line key, HashFunction function) {
      return ofLines.hash(key, function);
    }

    @Override
    public Optional<HashKey> hashKey() {
      return ofLines.hashKey();
    }
  }

  /** Returns the values of an option, joined, or its name if it has none. */
  private String part(String name) {
    List<String> words = words();
    String found = "";
    for (int i = 0; i < words.size(); i++) {
      boolean hasValue = WITH_VALUE.contains(words.get(i));
      if (words.get(i).equals(name)) {
        found += ' ' + (hasValue && i + 1 < words.size() ? words.get(i + 1) : name);
      }
      i += hasValue ? 1 : 0;
    }
    return found;
  }

  /**
   * Returns whether keys that this rule makes can be looked up among those that another one made:
   * whole lines may be what is elsewhere a part of one.
   */
  public boolean agreesWith(KeyRule its) {
    return its.toLookUp().isEmpty() || its.toLookUp().equals(toLookUp());
  }

  private List<String> toLookUp() {
    return words().stream().filter(word -> !word.equals("-z")).toList();
  }

  @Override
  public String toString() {
    return options.isEmpty() ? "whole lines" : options;
  }
}
