package dev.tamis.examples;

import dev.tamis.crawler.queue.Lease;
import dev.tamis.crawler.queue.VisitQueue;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Keeps the links of a file in a queue on disk, visits the first few, and goes on next time. */
public final class ToVisit {

  private static final int VISITS_A_RUN = 3;

  private ToVisit() {}

  /** Takes the file, then the directory of the queue. */
  public static void main(String[] args) throws IOException {
    Usage.require(2, args, ToVisit.class, "FILE DIRECTORY");
    run(Path.of(args[0]), Path.of(args[1]), System.out);
  }

  static void run(Path file, Path directory, PrintStream out) throws IOException {
    try (VisitQueue queue = VisitQueue.builder().expectedKeys(1_000_000).fpp(1e-6).open(directory);
        Stream<String> lines = Files.lines(file)) {
      lines.forEach(queue::push);
      for (int i = 0; i < VISITS_A_RUN; i++) {
        Optional<Lease> lease = queue.lease();
        if (lease.isPresent()) {
          out.println("visit " + lease.get().url());
          lease.get().ack(); // or retry(), if it failed; if the program ends here, it comes again
        }
      }
      out.println(queue.stats());
    }
  }
}
