package dev.tamis.bench.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import dev.tamis.bench.peers.Contender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** All that has been measured, part by part; a part may be missing. */
final class Results {

  private static final String ABOUT_FILE = "about.json";

  private final Map<Part, About> abouts = new EnumMap<>(Part.class);
  private final List<Measurement> measurements = new ArrayList<>();

  private Results() {}

  /** Reads the newest results of each part below {@code folder}. */
  static Results read(Path folder) throws IOException {
    Results results = new Results();
    for (Part part : Part.values()) {
      Path partFolder = folder.resolve(part.id());
      Path about = partFolder.resolve(ABOUT_FILE);
      if (Files.isRegularFile(about)) {
        results.add(part, new Gson().fromJson(Files.readString(about, UTF_8), About.class));
        for (Path file : resultFiles(partFolder)) {
          results.measurements.addAll(ResultFile.read(file));
        }
      }
    }
    return results;
  }

  private void add(Part part, About about) {
    abouts.put(part, about);
  }

  private static List<Path> resultFiles(Path folder) throws IOException {
    try (Stream<Path> children = Files.list(folder)) {
      return children
          .filter(child -> child.toString().endsWith(".json"))
          .filter(child -> !child.endsWith(ABOUT_FILE))
          .sorted()
          .toList();
    }
  }

  /** Writes what a reader must know about the run of a part. */
  static void writeAbout(Path partFolder, About about) throws IOException {
    Files.writeString(partFolder.resolve(ABOUT_FILE), new Gson().toJson(about), UTF_8);
  }

  /** Returns what is known about the run of {@code part}, if there was one. */
  Optional<About> about(Part part) {
    return Optional.ofNullable(abouts.get(part));
  }

  /** Returns all measurements of a benchmark. */
  List<Measurement> of(Class<?> benchmark) {
    return measurements.stream()
        .filter(measurement -> measurement.benchmark().equals(benchmark.getSimpleName()))
        .toList();
  }

  /** Returns the values that a numeric parameter of a benchmark had, in ascending order. */
  List<Long> values(Class<?> benchmark, String parameter) {
    return of(benchmark).stream()
        .map(measurement -> Long.valueOf(measurement.parameter(parameter)))
        .distinct()
        .sorted()
        .toList();
  }

  /** Returns one measurement of a contender. */
  Optional<Measurement> find(
      Class<?> benchmark, String operation, Contender contender, Map<String, ?> parameters) {
    return of(benchmark).stream()
        .filter(measurement -> measurement.operation().equals(operation))
        .filter(measurement -> measurement.parameter("contender").equals(contender.id()))
        .filter(measurement -> matches(measurement, parameters))
        .findFirst();
  }

  private static boolean matches(Measurement measurement, Map<String, ?> parameters) {
    return parameters.entrySet().stream()
        .allMatch(
            entry -> measurement.parameter(entry.getKey()).equals(entry.getValue().toString()));
  }
}
