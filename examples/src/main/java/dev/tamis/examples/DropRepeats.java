package dev.tamis.examples;

import dev.tamis.hash.KeyHasher;
import dev.tamis.tools.dedup.Deduplicator;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Prints each distinct line of a file once, then the summary. */
public final class DropRepeats {

  private DropRepeats() {}

  /** Takes the file as its only argument. */
  public static void main(String[] args) throws IOException {
    Usage.require(1, args, DropRepeats.class, "FILE");
    run(Path.of(args[0]), System.out);
  }

  static void run(Path file, PrintStream out) throws IOException {
    // region dedup
    Deduplicator<String> dedup = Deduplicator.<String>builder(KeyHasher.text()).fpp(1e-6).build();
    try (Stream<String> lines = Files.lines(file)) {
      lines.filter(dedup::firstSeen).forEach(out::println);
    }
    out.println(dedup.summary());
    // end dedup
  }
}
