package dev.tamis.cli.help;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Suggests commands and options for a mistyped word; none if no name is close to it. */
final class Suggestions {

  /** A shorter word has too many neighbours: "serve" is two edits from "merge". */
  private static final int MIN_LETTERS_FOR_TWO_EDITS = 7;

  private static final int MIN_LETTERS_OF_PREFIX = 2;

  /** Commands, and their names in other programs. */
  private static final Map<String, List<String>> COMMANDS =
      synonyms(
          """
          build: bloom make
          build make new: create generate
          check: contains exists grep lookup query test
          count: cardinality intersection jaccard overlap
          count size: estimate
          crawl: spider wget
          dedup: sort uniq unique
          dedup count: distinct
          digest: squid
          explain: why
          fetch crawl: download
          help: man
          info show: inspect
          info show stats: describe
          info stats: show
          merge: combine union
          poll: next pop
          poll fetch check: get
          push: enqueue
          push build: add insert put
          stats: frequent
          stats info: status
          stats peek: top
          stats show: info
          """);

  /** The same for options, without their dashes. */
  private static final Map<String, List<String>> OPTIONS =
      synonyms(
          """
          allow-overfull: force
          count max-pages: limit
          debug: trace verbose
          delay: sleep wait
          duplicates: repeated repeats
          exact: precise
          expected-keys: capacity
          expected-keys capacity: elements entries items keys
          expected-keys capacity memory max-size: size
          expected-keys top: lines
          fpp: error false-positive-rate fpr
          fpp confidence: probability
          fpp delay: rate
          fpp error: error-rate
          help: usage
          invert: inverse not
          jobs: parallel threads
          key-file: secret
          map: mmap
          memory: ram
          memory max-size: bytes
          null: nul null-data print0 zero zero-terminated
          output: file
          output state: save
          queue: dir directory
          quiet: silent
          redis-password-file: password
          resume: continue
          type: kind layout
          user-agent: agent
          """);

  private Suggestions() {}

  /** Parses lines of names, a colon and the words that people type for them. */
  private static Map<String, List<String>> synonyms(String table) {
    Map<String, List<String>> names = new HashMap<>();
    for (String line : table.lines().toList()) {
      String[] sides = line.split(": ", 2);
      for (String word : sides[1].split(" ", -1)) {
        names.put(word, List.of(sides[0].split(" ", -1)));
      }
    }
    return names;
  }

  static List<String> commands(String typed, Collection<String> names) {
    return of(typed, names, COMMANDS);
  }

  static List<String> options(String typed, Collection<String> names) {
    List<String> words =
        names.stream().filter(name -> name.startsWith("--")).map(Suggestions::bare).toList();
    return of(bare(typed), words, OPTIONS).stream().map(name -> "--" + name).toList();
  }

  private static String bare(String option) {
    String name = option.replaceFirst("^-+", "");
    return name.contains("=") ? name.substring(0, name.indexOf('=')) : name;
  }

  private static List<String> of(
      String typed, Collection<String> names, Map<String, List<String>> synonyms) {
    String word = typed.toLowerCase(Locale.ROOT);
    if (names.contains(word)) {
      return List.of(word);
    }
    List<String> found =
        synonyms.getOrDefault(word, List.of()).stream().filter(names::contains).toList();
    if (found.isEmpty()) {
      found = names.stream().filter(name -> isAbbreviated(word, name)).toList();
    }
    return found.isEmpty() ? nearest(word, names) : found;
  }

  /** Returns whether one begins with the other; --json-key is another option than --json. */
  private static boolean isAbbreviated(String word, String name) {
    return word.length() >= MIN_LETTERS_OF_PREFIX
        && (name.startsWith(word)
            || (word.startsWith(name) && !word.startsWith("-", name.length())));
  }

  private static List<String> nearest(String word, Collection<String> names) {
    int least = word.length() < MIN_LETTERS_FOR_TWO_EDITS ? 1 : 2;
    List<String> found = new ArrayList<>();
    for (String name : names) {
      int edits = edits(word, name);
      if (edits < least) {
        least = edits;
        found.clear();
      }
      if (edits == least) {
        found.add(name);
      }
    }
    return found;
  }

  /** Returns the Damerau–Levenshtein distance of two words (optimal string alignment). */
  static int edits(String from, String to) {
    int[][] edits = new int[from.length() + 1][to.length() + 1];
    for (int i = 0; i <= from.length(); i++) {
      for (int j = 0; j <= to.length(); j++) {
        if (i == 0 || j == 0) {
          edits[i][j] = i + j;
          continue;
        }
        int replaced = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
        int fewest =
            Math.min(
                edits[i - 1][j - 1] + replaced, Math.min(edits[i - 1][j], edits[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && from.charAt(i - 1) == to.charAt(j - 2)
                && from.charAt(i - 2) == to.charAt(j - 1);
        edits[i][j] = swapped ? Math.min(fewest, edits[i - 2][j - 2] + 1) : fewest;
      }
    }
    return edits[from.length()][to.length()];
  }
}
