package dev.tamis.cli.queue;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tamis.cli.Cli;
import dev.tamis.cli.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class QueueTest {

  @TempDir private Path home;
  private Path dir;

  @BeforeEach
  void nameAQueue() {
    dir = home.resolve("todo");
  }

  @Test
  void whatIsPushedComesOutOnceInOrder() {
    Cli.Result push =
        Cli.runOn("http://b/\nhttp://a/#x\nhttp://A:80/\nhttp://c/\n", "queue", dir, "push").ok();
    assertThat(push.summary())
        .containsEntry("pushed", "4")
        .containsEntry("accepted", "3")
        .containsEntry("duplicates", "1")
        .containsEntry("rejected", "0")
        .containsEntry("full", "0")
        .containsEntry("pending", "3");
    Cli.run("queue", dir, "peek").prints("http://b/\n");
    Cli.run("queue", dir, "poll").prints("http://b/\n");
    Cli.run("queue", dir, "poll", "--count", "5").prints("http://a/#x\nhttp://c/\n");
    Cli.Result empty = Cli.run("queue", dir, "poll");
    assertThat(empty.exit()).isEqualTo(1);
    assertThat(empty.err() + empty.out()).isEmpty();
    Cli.run("queue", dir, "peek").exits(1);
    Cli.runOn("http://a/\n", "queue", dir, "push").sums("duplicates=1");
  }

  @Test
  void rejectedLinesAreNamedAndCounted() throws IOException {
    Path file = home.resolve("urls.txt");
    Files.write(file, "http://a/\nnonsense\n\nhttp://b/\r\nhttp://\u00ff/\n".getBytes(ISO_8859_1));
    Cli.Result push = Cli.run("queue", dir, "push", file).ok();
    assertThat(push.err().lines())
        .hasSize(5)
        .element(0)
        .isEqualTo("tamis queue push: " + file + ":2: not an absolute URL with a host");
    assertThat(push.err())
        .contains(":3: empty URL")
        .contains(":4: illegal character U+000D in URL")
        .contains(":5: not UTF-8")
        .contains("pushed=5 accepted=1 duplicates=0 rejected=4 full=0 pending=1");
  }

  @Test
  void manyRejectedLinesAreNotAllNamed() {
    Cli.Result push = Cli.runOn("x\n".repeat(50), "queue", dir, "push");
    assertThat(push.err().lines()).hasSize(22);
    assertThat(push.err()).contains("50 lines were rejected in total").contains("rejected=50");
  }

  @Test
  void pastTheExpectedLinesItDoesAsTold() {
    String lines = "http://a/\nhttp://b/\nhttp://c/\n";
    Cli.runOn(lines, "queue", dir, "push", "-n", "2", "-p", "1e-9", "--on-full", "reject")
        .says(
            "...the queue is full: 1 new lines were not added...accepted=2 duplicates=0 rejected=0"
                + " full=1...");
    Path warned = home.resolve("warned");
    Cli.runOn(lines, "queue", warned, "push", "-n", "2", "-p", "1e-9")
        .says("...has seen 3 URLs, more than the 2 of -n: ...accepted=3...");
    Path grown = home.resolve("grown");
    Cli.runOn(lines, "queue", grown, "push", "-n", "2", "-p", "1e-9", "--on-full", "grow")
        .sums("accepted=3");
  }

  @Test
  void keysSayWhichLinesAreTheSame() {
    String lines = "http://a/#1\nhttp://a/#2\nhttp://A/\n";
    for (var expected : Map.of("none", "3", "defrag", "2", "strict", "1").entrySet()) {
      Path each = home.resolve(expected.getKey());
      assertThat(Cli.runOn(lines, "queue", each, "push", "--key", expected.getKey()).summary())
          .containsEntry("accepted", expected.getValue());
    }
  }

  @Test
  void statsAddUp() {
    Cli.runOn("http://a/\nhttp://a/\nhttp://b/\nx\n", "queue", dir, "push", "-q", "-x");
    Cli.run("queue", dir, "poll");
    assertThat(Cli.run("queue", dir, "stats", "--json").out())
        .startsWith(
            "{\"pushed\":4,\"accepted\":2,\"duplicates\":1,\"rejected\":1,\"full\":0,"
                + "\"delivered\":1,\"pending\":1,")
        .contains("\"expected_wrong_drops\":0.0");
    assertThat(Cli.run("queue", dir, "stats").out()).contains("seen keys").contains("pending");
  }

  @Test
  void aClosedPipeLosesNoUrl() {
    Cli.runOn("http://a/\nhttp://b/\n", "queue", dir, "push");
    OutputStream closed = Faults.output("Broken pipe");
    Cli.Result poll =
        Cli.runInto(closed, InputStream.nullInputStream(), "queue", dir, "poll", "--count", "2");
    assertThat(poll.exit()).isEqualTo(141);
    assertThat(poll.err()).isEmpty();
    Cli.run("queue", dir, "poll", "--count", "2").prints("http://a/\nhttp://b/\n");
  }

  @Test
  void errorsSayWhatAndWhere() throws IOException {
    assertThat(error("queue", dir, "poll"))
        .isEqualTo(
            "tamis queue poll: " + dir + ": not a queue directory; push a URL to create one");
    Cli.runOn("http://a/\n", "queue", dir, "push", "-n", "10", "-p", "0.01");
    assertThat(error("queue", dir, "push", "-n", "11"))
        .isEqualTo(
            "tamis queue push: %s: the queue was created with -n 10, got 11; leave -n out, or"
                + " create another queue",
            dir);
    assertThat(error("queue", dir, "push", "-p", "1e-9"))
        .contains("the queue was created with -p 0.01, got 1e-9; leave -p out");
    assertThat(error("queue", dir, "push", "--on-full", "GROW"))
        .contains("the queue was created with --on-full warn, got grow");
    assertThat(error("queue", dir, "push", "--exact"))
        .endsWith("the queue was created without --exact; leave it out, or create another queue");
    assertThat(error("info", dir))
        .isEqualTo(
            "tamis info: %s: Is a directory: that of a queue; see tamis queue %s stats", dir, dir);
    assertThat(error("queue", dir, "push", "--key", "loose"))
        .contains("expected none, defrag or strict, got 'loose'");
    assertThat(error("queue", dir, "push", "--on-full", "x")).contains("warn, grow or reject");
    assertThat(error("queue", dir, "poll", "--count", "0")).contains("at least 1");
    assertThat(error("queue", dir, "push", home.resolve("none"))).contains("No such file");
    assertThat(error("queue", dir)).contains("no command given");
    Files.writeString(dir.resolve("queue.properties"), "version=2\n");
    assertThat(error("queue", dir, "stats"))
        .contains("queue.properties: version: must be 1, got 2");
  }

  /** In use or not, handed over or read-only: what reads does not write. */
  @Test
  void statsAndPeekChangeNothing() throws IOException {
    Cli.runOn("http://a/\nhttp://b/\n", "queue", dir, "push");
    Path log = dir.resolve("wal-0000000000000000000.log");
    byte[] whole = Files.readAllBytes(log);
    Files.write(log, Arrays.copyOf(whole, whole.length + 7)); // zeros, as after a power failure
    Files.delete(dir.resolve("lock"));
    Map<String, String> before = contents();
    Cli.run("queue", dir, "stats").ok();
    Cli.run("queue", dir, "peek").prints("http://a/\n");
    Cli.run("queue", dir, "stats")
        .says("...its last 7 bytes stay where they are until the next push or poll...");
    assertThat(contents()).isEqualTo(before);
    Cli.run("queue", dir, "poll").says("...its last 7 bytes are kept in wal-...");
  }

  private Map<String, String> contents() throws IOException {
    Map<String, String> contents = new TreeMap<>();
    try (Stream<Path> files = Files.list(dir)) {
      for (Path file : files.toList()) {
        contents.put(
            file.getFileName().toString(),
            Files.getLastModifiedTime(file) + " " + Arrays.hashCode(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  @Test
  @EnabledOnOs(
      value = {OS.LINUX, OS.MAC},
      disabledReason = "symbolic links need a privilege on Windows")
  void aLinkInTheDirectoryIsRefused() throws IOException {
    Path outside = home.resolve("outside");
    Files.createDirectory(dir);
    Files.createSymbolicLink(dir.resolve("lock"), outside);
    for (String command : new String[] {"push", "poll", "peek", "stats"}) {
      assertThat(error("queue", dir, command))
          .isEqualTo(
              "tamis queue %s: %s: must be a regular file, got a symbolic link; remove it",
              command, dir.resolve("lock"));
    }
    assertThat(outside).doesNotExist();
  }

  private static String error(Object... args) {
    Cli.Result result = Cli.run(args).refused();
    assertThat(result.out()).isEmpty();
    return result.err().strip();
  }
}
