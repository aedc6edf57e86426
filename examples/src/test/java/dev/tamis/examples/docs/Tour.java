package dev.tamis.examples.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** The tutorial as a script for the JDK's {@code jshell}. */
final class Tour {

  private static final long MAX_SECONDS = 120;
  private static final Path JSHELL = Path.of(System.getProperty("java.home"), "bin", "jshell");

  private Tour() {}

  /** Returns the regions of a program in order, with the imports they need. */
  static String script(Source source) {
    StringBuilder script =
        new StringBuilder(
            """
            // The tutorial, docs/tutorial.md, to run and to change:
            //
            //   mvn -q -B package -DskipTests -pl examples -am
            //   jshell --class-path 'examples/target/lib/*' docs/tour.jsh
            //
            // DocumentsTest writes it from Tutorial.java.

            """);
    StringBuilder regions = new StringBuilder();
    for (String region : source.regions()) {
      regions.append("\n// ").append(region).append('\n');
      // jshell takes a line that could end a statement as its end
      regions.append(source.region(region).replaceAll("\n *\\.", ".")).append('\n');
    }
    return script.append(source.importsFor(regions.toString())).append('\n').append(regions)
        + "\n/exit\n";
  }

  static void assumeInstalled() {
    assumeTrue(Files.isExecutable(JSHELL), "the JDK has jshell");
  }

  /** Returns the output of a script, errors included. */
  static String printed(Path script) throws IOException, InterruptedException {
    Path output = Files.createTempFile("tour", ".txt");
    try {
      Process process =
          new ProcessBuilder(
                  JSHELL.toString(),
                  "--class-path",
                  System.getProperty("java.class.path"),
                  "-s",
                  script.toString())
              .redirectError(ProcessBuilder.Redirect.DISCARD) // the JVM's, not the script's
              .redirectOutput(output.toFile())
              .start();
      process.getOutputStream().close();
      if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new IOException("jshell did not end within " + MAX_SECONDS + " s");
      }
      return Files.readString(output, UTF_8);
    } finally {
      Files.delete(output);
    }
  }
}
