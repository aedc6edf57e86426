package dev.tamis.bench.report;

import com.google.gson.Gson;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The newest results of every part of the comparison; a part may be missing. */
final class Results {

  /** The file that describes the run of a part, in the folder of its results. */
  static final String ABOUT = "about.md";

  private final Map<String, String> abouts = new HashMap<>();
  private final Map<List<Object>, Measurement> measurements = new LinkedHashMap<>();

  private Results() {}

  /** Reads the results of each part below {@code folder}. */
  static Results read(Path folder) throws IOException {
    Results results = new Results();
    for (Plan.Part part : Plan.PARTS) {
      Path about = folder.resolve(part.id()).resolve(ABOUT);
      if (Files.isRegularFile(about)) {
        results.abouts.put(part.id(), Files.readString(about));
        try (Stream<Path> children = Files.list(folder.resolve(part.id()))) {
          for (Path file :
              children.filter(any -> any.toString().endsWith(".json")).sorted().toList()) {
            results.add(file);
          }
        }
      }
    }
    return results;
  }

  /** Adds what is in a file; measurements of several rounds become one. */
  private void add(Path file) throws IOException {
    try {
      for (Measurement found : new Gson().fromJson(Files.readString(file), Measurement[].class)) {
        Measurement checked = found.checked();
        measurements.merge(
            List.of(checked.benchmark(), checked.params()), checked, Measurement::plus);
      }
    } catch (JsonParseException | IllegalArgumentException e) {
      throw new IOException(file + " is not a result of JMH: " + e.getMessage(), e);
    }
  }

  /** Returns the description of the run of a part; empty if there was none. */
  Optional<String> about(String part) {
    return Optional.ofNullable(abouts.get(part));
  }

  /** Returns all measurements of an operation with these parameters among others. */
  Stream<Measurement> of(String benchmark, String operation, Map<String, String> parameters) {
    return measurements.values().stream()
        .filter(found -> found.is(benchmark, operation, parameters));
  }

  /** Returns the first of them; empty if there is none. */
  Optional<Measurement> find(String benchmark, String operation, Map<String, String> parameters) {
    return of(benchmark, operation, parameters).findFirst();
  }

  /** Returns the values that a numeric parameter of a benchmark had, in ascending order. */
  List<Long> values(String benchmark, String parameter) {
    return measurements.values().stream()
        .filter(found -> found.benchmark().contains("." + benchmark + "."))
        .map(found -> found.number(parameter))
        .distinct()
        .sorted()
        .toList();
  }
}
