package dev.tamis.bench.report;

import dev.tamis.bench.peers.BulkLookup;
import dev.tamis.bench.peers.Contender;
import dev.tamis.bench.peers.LongKeys;
import dev.tamis.bench.peers.RawLoads;
import dev.tamis.bench.peers.TextKeys;
import dev.tamis.bench.peers.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A part of the comparison that can be run by itself. */
enum Part {
  /** Long keys, in every contender. */
  LONG {
    @Override
    List<Task> tasks(Form form) {
      List<Task> tasks = new ArrayList<>();
      for (int keys : form.longKeys()) {
        for (Contender contender : chosen(form, Contender::hasLongs)) {
          tasks.add(task(form, LongKeys.class, contender, keys, Map.of()));
        }
      }
      return tasks;
    }
  },

  /** Addresses, in every contender that knows text. */
  TEXT {
    @Override
    List<Task> tasks(Form form) {
      List<Task> tasks = new ArrayList<>();
      for (int keys : form.textKeys()) {
        for (Contender contender : chosen(form, Contender::hasText)) {
          tasks.add(task(form, TextKeys.class, contender, keys, Map.of()));
        }
      }
      return tasks;
    }
  },

  /** One and two threads. */
  THREADS {
    @Override
    List<Task> tasks(Form form) {
      List<Task> tasks = new ArrayList<>();
      for (int keys : form.threadKeys()) {
        for (Contender contender : List.of(Contender.TAMIS_CONCURRENT, Contender.GUAVA)) {
          for (int threads = 1; threads <= 2; threads++) {
            Map<String, String> parameter = Map.of("threads", String.valueOf(threads));
            tasks.add(task(form, Threads.class, contender, keys, parameter));
          }
        }
      }
      return tasks;
    }
  },

  /** What memory can do. */
  LOADS {
    @Override
    List<Task> tasks(Form form) {
      return form.loadBytes().stream()
          .map(
              bytes ->
                  new Task(
                      "RawLoads-" + bytes,
                      RawLoads.class,
                      Map.of("bytes", String.valueOf(bytes)),
                      HEAP,
                      form.jmhArguments(0)))
          .toList();
    }
  },

  /** Look-ups by the array. */
  BULK {
    @Override
    List<Task> tasks(Form form) {
      String mebibytes = String.valueOf(form.bulkMebibytes());
      return List.of(Contender.TAMIS, Contender.TAMIS_SIMD).stream()
          .map(
              contender ->
                  new Task(
                      "BulkLookup-" + contender.id() + "-" + mebibytes,
                      BulkLookup.class,
                      Map.of("contender", contender.id(), "mebibytes", mebibytes),
                      jvmArguments(contender),
                      form.jmhArguments(0)))
          .toList();
    }
  };

  private static final List<String> HEAP = List.of("-Xms6g", "-Xmx6g");

  /** Returns what is measured, each in a JVM of its own. */
  abstract List<Task> tasks(Form form);

  /** Returns the part that is called so on the command line, if there is one. */
  static Optional<Part> named(String id) {
    return Arrays.stream(values()).filter(part -> part.id().equals(id)).findFirst();
  }

  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static List<Contender> chosen(Form form, Predicate<Contender> capability) {
    return form.contenders().stream().filter(capability).toList();
  }

  private static Task task(
      Form form, Class<?> benchmark, Contender contender, int keys, Map<String, String> more) {
    Map<String, String> parameters = new TreeMap<>(more);
    parameters.put("contender", contender.id());
    parameters.put("keys", String.valueOf(keys));
    String name = benchmark.getSimpleName() + "-" + String.join("-", parameters.values());
    return new Task(name, benchmark, parameters, jvmArguments(contender), form.jmhArguments(keys));
  }

  private static List<String> jvmArguments(Contender contender) {
    List<String> arguments = new ArrayList<>(HEAP);
    arguments.addAll(contender.jvmArguments());
    return arguments;
  }
}
