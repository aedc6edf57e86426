package dev.tamis.bench.report;

import dev.tamis.bench.peers.Contender;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The command {@code bench/peers}; the script explains its arguments. */
public final class PeersRun {

  private static final Path RESULTS = Path.of("bench/target/peers");
  private static final Path TARGETS = Path.of("bench/TARGETS.md");
  private static final Path DOCUMENT = Path.of("docs/benchmarks.md");
  private static final Path CHART = Path.of("docs/lookups.svg");
  static final String BEGIN = "<!-- peers:begin -->";
  static final String END = "<!-- peers:end -->";
  private static final String ROUNDS = "rounds=";
  private static final String USAGE =
      "usage: bench/peers quick|full [rounds=N] [PART|FILTER ...] [-JVM-ARGUMENT ...]"
          + " | bench/peers tables|targets";

  private PeersRun() {}

  /** Runs the command; the exit status is 1 if anything could not be measured. */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    words.removeIf(word -> word.startsWith("-"));
    List<Plan.Part> parts = Plan.PARTS.stream().filter(part -> words.remove(part.id())).toList();
    List<String> filters =
        Arrays.stream(Contender.values()).map(Contender::id).filter(words::remove).toList();
    String rounds =
        words.stream().filter(word -> word.matches(ROUNDS + "[1-9]")).findAny().orElse(ROUNDS + 1);
    words.remove(rounds);
    if (words.size() != 1
        || !List.of("quick", "full", "tables", "targets").contains(words.get(0))) {
      System.err.println("bench/peers: arguments: not known: " + words + "\n" + USAGE);
      System.exit(2);
    }
    boolean full = words.contains("full");
    boolean complete = true;
    long begin = System.nanoTime();
    if (full || words.contains("quick")) {
      for (Plan.Part part : parts.isEmpty() ? Plan.PARTS : parts) {
        List<Plan.Task> tasks = new ArrayList<>(part.tasks(full));
        tasks.removeIf(task -> !filters.isEmpty() && !filters.contains(task.filter()));
        complete &= measure(part, tasks, rounds.charAt(ROUNDS.length()) - '0', args);
        if (filters.isEmpty()) {
          write(); // what comes after may fail, or be stopped
        }
      }
    } else if (words.contains("tables")) {
      write();
    }
    System.out.println("\n" + Target.table(Results.read(RESULTS)));
    System.out.println(seconds(begin) + " in all; results in " + RESULTS);
    System.exit(complete ? 0 : 1);
  }

  /** Runs tasks in turn, each in a JVM of its own; returns whether all gave results. */
  private static boolean measure(Plan.Part part, List<Plan.Task> tasks, int rounds, String[] args)
      throws IOException, InterruptedException {
    if (tasks.isEmpty()) {
      return true;
    }
    Path folder = Files.createDirectories(RESULTS.resolve(part.id()));
    try (Stream<Path> old = Files.list(folder)) {
      for (Path file : old.toList()) {
        Files.delete(file);
      }
    }
    Files.writeString(
        folder.resolve(Results.ABOUT), About.text("bench/peers " + String.join(" ", args)));
    List<String> jvmArguments = Arrays.stream(args).filter(arg -> arg.startsWith("-")).toList();
    boolean complete = true;
    for (int i = 0; i < rounds * tasks.size(); i++) {
      Plan.Task task = tasks.get(i % tasks.size());
      String name = task.name() + "-" + (1 + i / tasks.size());
      System.out.print(part.id() + " " + (i + 1) + "/" + rounds * tasks.size() + ": " + name);
      System.out.flush();
      long begin = System.nanoTime();
      boolean done = measure(task, folder.resolve(name).toString(), jvmArguments);
      System.out.println(
          (done ? ", " : " FAILED, see its log in " + folder + ", ") + seconds(begin));
      complete &= done;
    }
    return complete;
  }

  private static boolean measure(Plan.Task task, String file, List<String> jvmArguments)
      throws IOException, InterruptedException {
    Path partial = Path.of(file + ".partial"); // JMH begins it before it has results
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.addAll(
        task.command(System.getProperty("java.class.path"), jvmArguments, partial.toString()));
    Path log = Path.of(file + ".log");
    Process process =
        new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    boolean done = process.waitFor() == 0;
    if (done) {
      Files.move(partial, Path.of(file + ".json"));
    }
    return done;
  }

  private static String seconds(long begin) {
    return (System.nanoTime() - begin) / 1_000_000_000 + " s";
  }

  private static void write() throws IOException {
    Results results = Results.read(RESULTS);
    replace(DOCUMENT, Tables.of(results, CHART.getFileName().toString()));
    replace(TARGETS, Target.table(results));
    if (results.about("long").isPresent()) {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(CHART))) {
        LookupChart.write(results, out);
      }
    }
  }

  /** Replaces what is between the two markers of a document, which must have one pair. */
  static void replace(Path file, String text) throws IOException {
    String before = Files.readString(file);
    String[] head = before.split(BEGIN, -1);
    String[] tail = before.split(END, -1);
    if (head.length != 2 || tail.length != 2 || !head[1].contains(END)) {
      throw new IOException(
          file + " must have the line " + BEGIN + " and then the line " + END + ", each once");
    }
    Files.writeString(file, head[0] + BEGIN + "\n\n" + text.strip() + "\n\n" + END + tail[1]);
  }
}
