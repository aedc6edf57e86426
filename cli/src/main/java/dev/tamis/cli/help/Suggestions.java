package dev.tamis.cli.help;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What somebody who typed a word that does not exist probably meant: nothing rather than a guess.
 */
final class Suggestions {

  /** A shorter word has too many neighbours. */
  private static final int MIN_LETTERS_FOR_TWO_EDITS = 5;

  private static final int MIN_LETTERS_OF_PREFIX = 2;

  /** What other programs, and people, call the commands. */
  private static final Map<String, List<String>> COMMANDS =
      Map.ofEntries(
          entry("add", List.of("push", "build")),
          entry("bloom", List.of("build")),
          entry("cardinality", List.of("count")),
          entry("combine", List.of("merge")),
          entry("contains", List.of("check")),
          entry("create", List.of("build", "make", "new")),
          entry("describe", List.of("info", "show", "stats")),
          entry("distinct", List.of("dedup", "count")),
          entry("download", List.of("fetch", "crawl")),
          entry("enqueue", List.of("push")),
          entry("estimate", List.of("count", "size")),
          entry("exists", List.of("check")),
          entry("frequent", List.of("stats")),
          entry("generate", List.of("build", "make", "new")),
          entry("get", List.of("poll", "fetch", "check")),
          entry("grep", List.of("check")),
          entry("info", List.of("stats", "show")),
          entry("insert", List.of("push", "build")),
          entry("inspect", List.of("info", "show")),
          entry("intersection", List.of("count")),
          entry("jaccard", List.of("count")),
          entry("lookup", List.of("check")),
          entry("make", List.of("build")),
          entry("man", List.of("help")),
          entry("next", List.of("poll")),
          entry("overlap", List.of("count")),
          entry("pop", List.of("poll")),
          entry("put", List.of("push", "build")),
          entry("query", List.of("check")),
          entry("show", List.of("info", "stats")),
          entry("sort", List.of("dedup")),
          entry("spider", List.of("crawl")),
          entry("squid", List.of("digest")),
          entry("status", List.of("stats", "info")),
          entry("test", List.of("check")),
          entry("top", List.of("stats", "peek")),
          entry("union", List.of("merge")),
          entry("uniq", List.of("dedup")),
          entry("unique", List.of("dedup")),
          entry("wget", List.of("crawl")),
          entry("why", List.of("explain")));

  /** The same for options, without their dashes. */
  private static final Map<String, List<String>> OPTIONS =
      Map.ofEntries(
          entry("agent", List.of("user-agent")),
          entry("bytes", List.of("memory", "max-size")),
          entry("capacity", List.of("expected-keys")),
          entry("continue", List.of("resume")),
          entry("dir", List.of("queue")),
          entry("directory", List.of("queue")),
          entry("elements", List.of("expected-keys", "capacity")),
          entry("entries", List.of("expected-keys", "capacity")),
          entry("error", List.of("fpp")),
          entry("error-rate", List.of("fpp", "error")),
          entry("false-positive-rate", List.of("fpp")),
          entry("file", List.of("output")),
          entry("force", List.of("allow-overfull")),
          entry("fpr", List.of("fpp")),
          entry("inverse", List.of("invert")),
          entry("items", List.of("expected-keys", "capacity")),
          entry("keys", List.of("expected-keys", "capacity")),
          entry("kind", List.of("type")),
          entry("layout", List.of("type")),
          entry("limit", List.of("count", "max-pages")),
          entry("lines", List.of("expected-keys", "top")),
          entry("mmap", List.of("map")),
          entry("not", List.of("invert")),
          entry("nul", List.of("null")),
          entry("null-data", List.of("null")),
          entry("parallel", List.of("jobs")),
          entry("password", List.of("redis-password-file")),
          entry("precise", List.of("exact")),
          entry("print0", List.of("null")),
          entry("probability", List.of("fpp", "confidence")),
          entry("ram", List.of("memory")),
          entry("rate", List.of("fpp", "delay")),
          entry("repeated", List.of("duplicates")),
          entry("repeats", List.of("duplicates")),
          entry("save", List.of("output", "state")),
          entry("secret", List.of("key-file")),
          entry("silent", List.of("quiet")),
          entry("size", List.of("expected-keys", "capacity", "memory", "max-size")),
          entry("sleep", List.of("delay")),
          entry("threads", List.of("jobs")),
          entry("trace", List.of("debug")),
          entry("usage", List.of("help")),
          entry("verbose", List.of("debug")),
          entry("wait", List.of("delay")),
          entry("zero", List.of("null")),
          entry("zero-terminated", List.of("null")));

  private Suggestions() {}

  /** Returns the commands among {@code names} that {@code typed} may stand for; often none. */
  static List<String> commands(String typed, Collection<String> names) {
    return of(typed, names, COMMANDS);
  }

  /** Does the same for options, with their dashes. */
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

  private static boolean isAbbreviated(String word, String name) {
    return word.length() >= MIN_LETTERS_OF_PREFIX
        && (name.startsWith(word) || word.startsWith(name));
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

  /**
   * Returns the Damerau-Levenshtein distance of two words: the letters to insert, delete or
   * replace, and the neighbours to swap, each letter once.
   */
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
