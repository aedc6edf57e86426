package dev.tamis.examples.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged job on a cluster of a JobManager and a TaskManager, each a process of its own, that
 * has Flink on its class path and Tamis only in the job.
 */
@Tag("thorough")
@Timeout(300)
class SubmitIT {

  private static final String NAMED = "org.apache.flink.";

  /** What the configuration of a Flink distribution opens to Flink itself. */
  private static final List<String> OPENED_BY_FLINK =
      List.of("java.lang", "java.net", "java.io", "java.nio", "java.util", "java.time");

  @TempDir private Path folder;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }

  @Test
  void runsOnAClusterThatKnowsNothingOfTamis() throws Exception {
    int rest = freePort();
    Files.writeString(
        folder.resolve("config.yaml"),
        """
        jobmanager.rpc.address: 127.0.0.1
        jobmanager.rpc.port: %RPC
        rest.address: 127.0.0.1
        rest.bind-address: 127.0.0.1
        rest.port: %REST
        taskmanager.host: 127.0.0.1
        taskmanager.numberOfTaskSlots: 2
        taskmanager.cpu.cores: 1
        taskmanager.memory.task.heap.size: 256m
        taskmanager.memory.task.off-heap.size: 0
        taskmanager.memory.managed.size: 32m
        taskmanager.memory.network.min: 32m
        taskmanager.memory.network.max: 32m
        taskmanager.memory.framework.heap.size: 128m
        taskmanager.memory.framework.off-heap.size: 128m
        taskmanager.memory.jvm-metaspace.size: 256m
        taskmanager.memory.jvm-overhead.min: 192m
        taskmanager.memory.jvm-overhead.max: 192m
        parallelism.default: 2
        execution.checkpointing.interval: 1s
        execution.checkpointing.dir: %CHECKPOINTS
        io.tmp.dirs: %TMP
        """
            .replace("%RPC", Integer.toString(freePort()))
            .replace("%REST", Integer.toString(rest))
            .replace("%CHECKPOINTS", folder.resolve("checkpoints").toUri().toString())
            .replace("%TMP", folder.toString()));
    start("jobmanager", "runtime.entrypoint.StandaloneSessionClusterEntrypoint");
    start("taskmanager", "runtime.taskexecutor.TaskManagerRunner");

    Path lines = folder.resolve("lines.txt");
    List<String> numbers = new ArrayList<>();
    for (int i = 0; i < 100_000; i++) {
      numbers.add("line " + i % 40_000);
    }
    Files.write(lines, numbers);
    Path output = folder.resolve("output");
    String printed = submit(rest, lines, output);

    assertThat(printed).contains("lines=100000 unique=40000 duplicates=60000");
    assertThat(committed(output))
        .hasSize(40_000)
        .doesNotHaveDuplicates()
        .allMatch(line -> line.startsWith("line "));
  }

  /** Submits until the JobManager listens. */
  private String submit(int rest, Path lines, Path output) throws Exception {
    String printed = "";
    for (int attempt = 0; attempt < 60; attempt++) {
      assertThat(processes).as("processes of the cluster").allMatch(Process::isAlive);
      Path log = folder.resolve("client" + attempt);
      Process client =
          java(
                  log,
                  "client.cli.CliFrontend",
                  "run",
                  "-m",
                  "127.0.0.1:" + rest,
                  Path.of("target/flink-dedup.jar").toAbsolutePath().toString(),
                  lines.toUri().toString(),
                  output.toUri().toString())
              .start();
      assertThat(client.waitFor(120, TimeUnit.SECONDS)).isTrue();
      printed = Files.readString(log);
      if (client.exitValue() == 0 || !printed.contains("Connection refused")) {
        break;
      }
      Thread.sleep(500);
    }
    return printed;
  }

  private void start(String name, String type) throws IOException {
    processes.add(java(folder.resolve(name), type, "--configDir", folder.toString()).start());
  }

  private ProcessBuilder java(Path log, String type, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String opened : OPENED_BY_FLINK) {
      command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    command.addAll(List.of("-Xmx512m", "-cp", flinkJars(), NAMED + type));
    Collections.addAll(command, arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
    Map<String, String> environment = builder.environment();
    environment.put("FLINK_CONF_DIR", folder.toString());
    return builder;
  }

  /** Returns the jars that a Flink distribution has in lib: all but those of Tamis. */
  private static String flinkJars() throws IOException {
    try (Stream<Path> jars = Files.list(Path.of("target/lib"))) {
      return String.join(
          File.pathSeparator,
          jars.map(jar -> jar.toAbsolutePath().toString())
              .filter(jar -> !jar.contains("tamis-") && !jar.contains("hash4j"))
              .toList());
    }
  }

  private static List<String> committed(Path output) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(output).filter(Files::isRegularFile)) {
      for (Path file : files.toList()) {
        if (!file.getFileName().toString().startsWith(".")) {
          lines.addAll(Files.readAllLines(file, UTF_8));
        }
      }
    }
    return lines;
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
