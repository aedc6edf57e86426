package dev.tamis.dist;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A shell with little on its PATH, in which a distribution is tried out.
 *
 * @param folder an empty folder
 */
record Trial(Path folder) {

  /** What a launcher may call; neither Java nor Maven. */
  private static final List<String> BASICS =
      List.of("sh", "cksum", "dirname", "find", "mkdir", "mv", "readlink", "rm", "sed", "tr");

  Trial {
    try {
      Path path = Files.createDirectories(folder.resolve("path"));
      for (String basic : BASICS) {
        String program = Files.exists(Path.of("/usr/bin", basic)) ? "/usr/bin/" : "/bin/";
        Path forwarder = path.resolve(basic);
        Files.writeString(forwarder, "#!/bin/sh\nexec " + program + basic + " \"$@\"\n");
        assertThat(forwarder.toFile().setExecutable(true)).isTrue();
      }
      Files.createDirectories(folder.resolve("home"));
    } catch (IOException e) {
      throw new IllegalStateException("cannot prepare " + folder, e);
    }
  }

  /** Requires the version, and the lines and figures that README shows for {@code links}. */
  void doesTheMainJob(Path links, Map<String, String> environment, String... command)
      throws Exception {
    assertThat(run(environment, with(command, "--version")))
        .isEqualTo("tamis " + System.getProperty("tamis.version") + "\n");
    String out = run(environment, with(command, "dedup", links.toString()));
    Set<String> distinct = new LinkedHashSet<>(Files.readAllLines(links));
    assertThat(out.lines().filter(line -> !line.startsWith("lines=")))
        .containsExactlyElementsOf(distinct);
    assertThat(out.lines().filter(line -> line.startsWith("lines=")))
        .singleElement()
        .asString()
        .startsWith("lines=9026 unique=2695 duplicates=6331 fpp=");
    // asks a bean of a module that a linked Java may lack for the memory of the machine
    assertThat(run(environment, with(command, "size", "-n", "1000", "-p", "0.01")))
        .contains("classic");
  }

  /** Requires data of other jars: the tables of UTS #46 and the list of public suffixes. */
  void readsBlockLists(String... command) throws Exception {
    Path list = Files.writeString(folder.resolve("list"), ".bücher.example\n");
    Path block = folder.resolve("block");
    run(Map.of(), with(command, "block", "build", "-o", block.toString(), list.toString()));
    Path query = Files.writeString(folder.resolve("query"), "www.xn--bcher-kva.example\n");
    assertThat(run(Map.of(), with(command, "block", "check", block.toString(), query.toString())))
        .contains("www.xn--bcher-kva.example\n");
  }

  /** Runs a command, requires exit status 0, and returns standard output and error together. */
  String run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().clear();
    builder.environment().put("PATH", path());
    builder.environment().put("HOME", folder.resolve("home").toString());
    builder.environment().putAll(environment);
    return output(builder);
  }

  String path() {
    return folder.resolve("path").toString();
  }

  /** Runs a command with everything that the tests have, and requires exit status 0. */
  static String requireSuccess(Path folder, Map<String, String> environment, String... command)
      throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    return output(builder);
  }

  private static String output(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(10, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(builder.command() + "\n" + out).isZero();
    return out;
  }

  static Path repository() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isRegularFile(folder.resolve("tamis"))) {
      folder = folder.getParent();
      if (folder == null) {
        throw new IllegalStateException("no folder above this one holds the launcher, tamis");
      }
    }
    return folder;
  }

  private static String[] with(String[] command, String... arguments) {
    return Stream.concat(Stream.of(command), Stream.of(arguments)).toArray(String[]::new);
  }
}
