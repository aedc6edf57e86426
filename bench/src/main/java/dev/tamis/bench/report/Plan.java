package dev.tamis.bench.report;

import dev.tamis.bench.peers.Contender;
import dev.tamis.bench.peers.LongKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What each part of the comparison runs, as {@code plan.txt} says. */
final class Plan {

  /** In the order in which they are run. */
  static final List<Part> PARTS = Text.rows("plan.txt", 7).stream().map(Part::new).toList();

  private static final String PACKAGE = LongKeys.class.getPackageName();
  private static final long FAST_KEYS = 1_000_000;

  private Plan() {}

  /** Returns the part that is called so on the command line; empty if there is none. */
  static Optional<Part> part(String id) {
    return PARTS.stream().filter(part -> part.id().equals(id)).findFirst();
  }

  /** A part that can be run by itself, a row of the file. */
  record Part(List<String> row) {

    String id() {
      return row.get(0);
    }

    String benchmark() {
      return row.get(1);
    }

    /** Returns the parameter that is the size of a filter. */
    String size() {
      return row.get(2);
    }

    /** Returns the filters of a full run. */
    String filters() {
      return row.get(6);
    }

    /** Returns what is measured, each in a JVM of its own. */
    List<Task> tasks(boolean full) {
      List<Task> tasks = new ArrayList<>();
      for (String value : Text.words(row.get(full ? 4 : 3))) {
        boolean slow = size().equals("keys") && Long.parseLong(value) > FAST_KEYS;
        String pace =
            full
                ? (slow ? "-wi 2 -i 3 -w 500ms -r 500ms" : "-wi 3 -i 5 -w 300ms -r 300ms")
                : (slow ? "-wi 1 -i 2 -w 300ms -r 300ms" : "-wi 2 -i 3 -w 150ms -r 150ms");
        String chosen = full ? filters() : row.get(5);
        for (String filter : Text.words(chosen)) {
          tasks.add(new Task(benchmark(), size(), value, filter, pace));
        }
      }
      return tasks;
    }
  }

  /** What one JVM measures, and for how long. */
  record Task(String benchmark, String size, String value, String filter, String pace) {

    /** Returns the name of its result file. */
    String name() {
      return String.join("-", benchmark, filter, value).replace("---", "-");
    }

    /** Returns the arguments after {@code java}. */
    List<String> command(String classPath, List<String> moreJvmArguments, String resultFile) {
      // a small young generation, or a filter that allocates would be charged for touching new
      // pages
      List<String> command = new ArrayList<>(List.of("-Xms6g", "-Xmx6g", "-Xmn256m"));
      if (!filter.equals("-")) {
        command.addAll(Contender.named(filter).jvmArguments());
      }
      command.addAll(moreJvmArguments);
      command.addAll(List.of("-cp", classPath, "org.openjdk.jmh.Main"));
      // not forked once more: this JVM is the fork, and all its benchmarks share the filled filter
      command.addAll(List.of("-f", "0", "-foe", "true", "-rf", "json", "-rff", resultFile));
      command.addAll(List.of("-prof", "gc", "-prof", PACKAGE + ".Achieved"));
      command.addAll(Text.words(pace));
      command.addAll(List.of("-p", size + "=" + value));
      if (!filter.equals("-")) {
        command.addAll(List.of("-p", "contender=" + filter));
      }
      command.add("^" + (PACKAGE + "." + benchmark + ".").replace(".", "\\."));
      return command;
    }
  }
}
