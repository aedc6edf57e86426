package dev.tamis.corpus;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How the keys of a unit are made of its text: what two filters must agree on.
 *
 * @param kind what a unit's keys are
 * @param ngram the words of an n-gram, 0 unless the kind is {@link Kind#NGRAMS}
 * @param normalizations what happens to the text first
 */
public record UnitRule(Kind kind, int ngram, Set<Normalization> normalizations) {

  private static final String NGRAMS = "--ngrams";
  private static final String NORMALIZE = "--normalize";

  /** What the keys of a unit are. */
  public enum Kind {
    /** One key: the hash of a document's text. */
    DOCUMENTS,
    /** One key for each paragraph: the hash of its text. */
    PARAGRAPHS,
    /** A key for each n-gram of a document or paragraph. */
    NGRAMS
  }

  /** Checks that there is a length of n-grams exactly for n-grams. */
  public UnitRule {
    requireNonNull(kind, "kind");
    if ((kind == Kind.NGRAMS) != (ngram > 0) || ngram > Ngrams.MAX_LENGTH) {
      throw new IllegalArgumentException(
          "an n-gram must have 1 to " + Ngrams.MAX_LENGTH + " words, got " + ngram);
    }
    Set<Normalization> copy = EnumSet.noneOf(Normalization.class);
    copy.addAll(normalizations);
    normalizations = Set.copyOf(copy);
  }

  /**
   * Reads what {@link #toString} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static UnitRule parse(String text) {
    List<String> words = Arrays.asList(text.split(" ", -1));
    Kind kind =
        Arrays.stream(Kind.values())
            .filter(each -> option(each).equals(words.get(0)))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("not a rule of units: " + text));
    int rest = kind == Kind.NGRAMS ? 2 : 1;
    int ngram = kind == Kind.NGRAMS && words.size() > 1 ? Integer.parseInt(words.get(1)) : 0;
    Set<Normalization> changes = EnumSet.noneOf(Normalization.class);
    if (words.size() == rest + 2) {
      for (String name : words.get(rest + 1).split(",", -1)) {
        changes.add(Normalization.valueOf(name.toUpperCase(Locale.ROOT)));
      }
    }
    UnitRule rule = new UnitRule(kind, ngram, changes);
    if (!rule.toString().equals(text)) {
      throw new IllegalArgumentException("not a rule of units: " + text);
    }
    return rule;
  }

  private static String option(Kind kind) {
    return "--" + kind.name().toLowerCase(Locale.ROOT);
  }

  /** Returns the normalizations as {@code --normalize} takes them, empty for none. */
  public String changes() {
    return normalizations.stream()
        .sorted()
        .map(each -> each.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(","));
  }

  /** Returns the rule as a filter states it, such as {@code --ngrams 13 --normalize nfc,lower}. */
  @Override
  public String toString() {
    return (kind == Kind.NGRAMS ? NGRAMS + " " + ngram : option(kind))
        + (normalizations.isEmpty() ? "" : " " + NORMALIZE + " " + changes());
  }
}
