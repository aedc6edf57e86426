package dev.tamis.bench.report;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Measures Tamis beside its peers and writes the tables and the chart.
 *
 * <pre>
 * bench/peers quick|full [PART...] [JVM ARGUMENT...]
 * bench/peers tables
 * </pre>
 *
 * <p>Parts are long, text, threads, loads and bulk; without any, all are run. The newest results of
 * each part stay below {@code bench/target/peers}, and {@code tables} writes them out once more.
 * What begins with a dash is handed to every JVM that measures.
 */
public final class PeersRun {

  private static final Path RESULTS = Path.of("bench/target/peers");
  private static final Path DOCUMENT = Path.of("docs/benchmarks.md");
  private static final Path CHART = Path.of("docs/lookups.svg");
  private static final String USAGE =
      "usage: bench/peers quick|full [long|text|threads|loads|bulk ...] [-JVM-ARGUMENT ...]"
          + " | bench/peers tables";

  private final Clock clock = Clock.systemUTC();
  private final List<String> failed = new ArrayList<>();
  private final String command;
  private final List<String> jvmArguments;

  private PeersRun(String command, List<String> jvmArguments) {
    this.command = command;
    this.jvmArguments = jvmArguments;
  }

  /** Runs the command; the exit status is 1 if anything could not be measured. */
  public static void main(String[] args) throws IOException, InterruptedException {
    System.exit(run(args));
  }

  private static int run(String[] args) throws IOException, InterruptedException {
    List<String> words = Arrays.stream(args).filter(arg -> !arg.startsWith("-")).toList();
    List<String> jvmArguments = Arrays.stream(args).filter(arg -> arg.startsWith("-")).toList();
    if (words.equals(List.of("tables"))) {
      write();
      return 0;
    }
    Optional<Form> form = words.stream().findFirst().flatMap(Form::named);
    if (form.isEmpty()) {
      System.err.println(USAGE);
      return 2;
    }
    List<Part> parts = new ArrayList<>();
    for (String word : words.subList(1, words.size())) {
      Optional<Part> part = Part.named(word);
      if (part.isEmpty()) {
        System.err.println("no part is called " + word + System.lineSeparator() + USAGE);
        return 2;
      }
      parts.add(part.get());
    }
    PeersRun run = new PeersRun("bench/peers " + String.join(" ", args), jvmArguments);
    return run.measure(form.get(), parts.isEmpty() ? List.of(Part.values()) : parts);
  }

  private int measure(Form form, List<Part> parts) throws IOException, InterruptedException {
    Instant begin = clock.instant();
    for (Part part : parts) {
      measure(form, part);
      write(); // what comes after may fail, or be stopped
    }
    System.out.printf(
        Locale.ROOT,
        "%d s in all; tables in %s, results in %s%n",
        Duration.between(begin, clock.instant()).toSeconds(),
        DOCUMENT,
        RESULTS);
    failed.forEach(name -> System.err.println("failed: " + name));
    return failed.isEmpty() ? 0 : 1;
  }

  private void measure(Form form, Part part) throws IOException, InterruptedException {
    Path folder = RESULTS.resolve(part.id());
    clear(folder);
    Results.writeAbout(
        folder,
        new About(command, LocalDate.now(clock).toString(), About.thisMachine(), About.thisJvm()));
    List<Task> tasks = part.tasks(form);
    for (int i = 0; i < tasks.size(); i++) {
      System.out.printf(
          Locale.ROOT, "%s %d/%d: %s ", part.id(), i + 1, tasks.size(), tasks.get(i).name());
      System.out.flush();
      Instant begin = clock.instant();
      boolean ended = measure(tasks.get(i), folder);
      System.out.printf(
          Locale.ROOT,
          "%s, %d s%n",
          ended ? "done" : "FAILED",
          Duration.between(begin, clock.instant()).toSeconds());
    }
  }

  /** Runs a task in a JVM of its own; returns whether it gave results. */
  private boolean measure(Task task, Path folder) throws IOException, InterruptedException {
    Path result = folder.resolve(task.name() + ".json");
    Path partial = folder.resolve(task.name() + ".partial"); // JMH begins it before it has results
    Path log = folder.resolve(task.name() + ".log");
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        task.command(System.getProperty("java.class.path"), jvmArguments, partial.toString()));
    Process process =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean ended = process.waitFor() == 0;
    if (ended) {
      Files.move(partial, result);
    } else {
      failed.add(task.name() + ", see " + log);
    }
    return ended;
  }

  private static void clear(Path folder) throws IOException {
    Files.createDirectories(folder);
    List<Path> old;
    try (Stream<Path> children = Files.list(folder)) {
      old = children.toList();
    }
    for (Path file : old) {
      Files.delete(file);
    }
  }

  private static void write() throws IOException {
    Results results = Results.read(RESULTS);
    Document.replace(DOCUMENT, Tables.of(results, CHART.getFileName().toString()));
    if (results.about(Part.LONG).isPresent()) {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(CHART))) {
        LookupChart.write(results, out);
      }
    }
  }
}
