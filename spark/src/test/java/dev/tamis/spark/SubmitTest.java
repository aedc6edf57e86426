package dev.tamis.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A program that is submitted to a master, a worker and two executors in processes of their own,
 * with Kryo, and with the jars of Tamis on the command line alone.
 */
@Tag("thorough")
class SubmitTest {

  @Test
  void allOfItRunsInOtherProcesses(@TempDir Path folder) throws Exception {
    Path home = Files.createDirectories(folder.resolve("spark"));
    Path jars = Files.createDirectories(home.resolve("jars"));
    Files.writeString(home.resolve("RELEASE"), "Spark 4.2.0 of Maven\n");
    List<String> ours = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(":", -1)) {
      Path path = Path.of(entry);
      boolean isSparks = !entry.contains("hash4j") && !entry.contains("/tamis");
      if (Files.isDirectory(path)) {
        ours.add(jar(path, folder.resolve("tamis-" + ours.size() + ".jar")).toString());
      } else if (!isSparks) {
        ours.add(entry);
      } else if (!entry.contains("junit") && Files.exists(path)) {
        Files.createSymbolicLink(jars.resolve(path.getFileName()), path);
      }
    }
    Path result = folder.resolve("result");

    List<String> command = new ArrayList<>(List.of(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(
        List.of(
            "-cp",
            jars + "/*",
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            "local-cluster[2,1,1024]",
            "--conf",
            "spark.driver.host=127.0.0.1",
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.serializer=org.apache.spark.serializer.KryoSerializer",
            "--conf",
            "spark.sql.extensions=dev.tamis.spark.TamisExtensions",
            "--class",
            SubmittedProgram.class.getName(),
            "--jars",
            String.join(",", ours),
            ours.get(0),
            result.toString()));
    String printed =
        ChildJvm.run(
            folder.resolve("output"),
            Map.of("SPARK_HOME", home.toString(), "SPARK_SCALA_VERSION", "2.13"),
            command);

    assertThat(Files.isRegularFile(result)).as(printed).isTrue();
    assertThat(Files.readString(result))
        .isEqualTo("executors=2 same=true sliced=true joined=100 distinct=9000 sql=100\n");
  }

  private static Path jar(Path classes, Path jar) throws IOException {
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out);
        Stream<Path> files = Files.walk(classes).filter(Files::isRegularFile)) {
      files.forEach(
          file -> {
            try {
              entries.putNextEntry(
                  new JarEntry(classes.relativize(file).toString().replace('\\', '/')));
              Files.copy(file, entries);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return jar;
  }
}
