package dev.tamis.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a program of the documents prints, region by region. */
final class Transcript {

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final Map<String, String> regions = new LinkedHashMap<>();

  private Transcript() {}

  /** A program whose regions the documents show. */
  interface Program {

    /** Runs all regions, each followed by {@link Transcript#end}. */
    void run(Transcript transcript) throws Exception;
  }

  /** Returns the output of each region of a program. */
  static Map<String, String> of(Program program) throws Exception {
    Transcript transcript = new Transcript();
    PrintStream out = System.out;
    System.setOut(new PrintStream(transcript.printed, true, UTF_8));
    try {
      program.run(transcript);
    } finally {
      System.setOut(out);
    }
    return transcript.regions;
  }

  /** Takes what was printed since the region before as the output of this one. */
  void end(String region) {
    regions.put(region, printed.toString(UTF_8));
    printed.reset();
  }
}
