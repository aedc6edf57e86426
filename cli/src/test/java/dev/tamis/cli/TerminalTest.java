package dev.tamis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The screen of a terminal after a run. No wait has an upper bound that a busy machine exceeds. */
@EnabledOnOs(value = OS.LINUX, disabledReason = "needs script of util-linux")
@Timeout(600)
class TerminalTest {

  private static final String COUNTER =
      "read  \\d+ MB  [\\d,]+ lines  [\\d.]+ MB/s  0:\\d\\d:\\d\\d";

  /** After this long the next read draws a bar. */
  private static final int DELAY_MILLIS = 550;

  @TempDir Path directory;

  @BeforeEach
  void standardErrorIsATerminal() {
    System.setProperty("tamis.stderr.tty", "true");
  }

  @AfterEach
  void itIsNot() {
    System.clearProperty("tamis.stderr.tty");
    System.clearProperty("tamis.stdout.tty");
  }

  @Test
  void aBarForFilesEndsAboveTheSummary() throws Exception {
    Path lines = directory.resolve("in");
    try (RandomAccessFile sparse = new RandomAccessFile(lines.toFile(), "rw")) {
      sparse.setLength(50_000_000);
    }
    List<String> screen =
        screen("", "dedup", "-z", "-n", "9", "-o", out(), "--parallel", "1", lines);
    assertThat(screen).hasSize(2);
    assertThat(screen.get(0)).startsWith("read 100%").contains("50/50 MB");
    assertThat(screen.get(1)).startsWith("lines=50000000 unique=1 ");
  }

  @Test
  void aPipeHasACounterOfLinesAndMegabytes() throws Exception {
    List<String> screen = screen("y\n".repeat(1_000_000) + "|n", "dedup", "-o", out());
    assertThat(screen).hasSize(2);
    assertThat(screen.get(0)).matches(COUNTER).startsWith("read  2 MB  1,000,001 lines  ");
    assertThat(screen.get(1)).startsWith("lines=1000001 unique=2 ");
    assertThat(screen("y|n", "build", "-n", "9", "-o", out()).get(0)).matches(COUNTER);
    assertThat(screen("y|n", "check", out()).get(0)).matches(COUNTER);
  }

  @Test
  void nothingIsDrawnForAShortRunOrWithoutASummary() throws Exception {
    assertThat(screen("1\n2\n3\n", "dedup", "-o", out())).hasSize(1);
    assertThat(screen("y\n|n", "dedup", "-q", "-o", out())).isEmpty();
    assertThat(screen("y\n|n", "dedup", "--json", "-o", out())).hasSize(1).allMatch(this::isJson);
    System.setProperty("tamis.stdout.tty", "true"); // which shows the data
    assertThat(screen("y\n|n", "dedup")).hasSize(1).allMatch(line -> line.startsWith("lines=2 "));
    System.clearProperty("tamis.stderr.tty");
    assertThat(screen("y\n|n", "dedup", "-o", out())).hasSize(1);
  }

  private boolean isJson(String line) {
    return line.startsWith("{");
  }

  @Test
  void messagesStandOnLinesOfTheirOwn() throws Exception {
    String input = "bad1\n|http://a/\n^bad2\n|bad3";
    List<String> screen = screen(input, "queue", directory.resolve("todo"), "push");
    assertThat(screen).hasSize(5);
    assertThat(screen.subList(0, 3))
        .allMatch(line -> line.matches("tamis queue push: -:\\d: not an absolute URL.*"));
    assertThat(screen.get(3)).matches(COUNTER);
    assertThat(screen.get(4)).startsWith("pushed=4 accepted=1 duplicates=0 rejected=3 ");
  }

  @Test
  void aWarningOfTheFilterDoesNotBreakTheBar() throws Exception {
    String many = new String(Lines.numbers(0, 2000), UTF_8);
    List<String> screen = screen("0\n|1\n^" + many + "|", "build", "-n", "10", "-o", out());
    assertThat(screen.get(screen.size() - 1)).startsWith("lines=2002 ");
    assertThat(screen).filteredOn(line -> line.matches(COUNTER)).hasSize(1);
    assertThat(screen).filteredOn(line -> line.startsWith("tamis build: ")).hasSize(2);
    assertThat(screen).hasSize(4);
  }

  @Test
  void aCrawlCountsPagesAboveItsMessagesAndItsSummary() throws Exception {
    try (Site site = new Site(path -> Site.Answer.html(404, ""))) {
      Path queue = directory.resolve("todo");
      List<String> screen = screen("", "crawl", site.url("/"), "--queue", queue, "-o", out());
      assertThat(screen).hasSize(3);
      assertThat(screen.get(0)).matches("crawl  1 page  0:\\d\\d:\\d\\d");
      assertThat(screen.get(1)).startsWith("tamis crawl: " + site.url("/") + ": client-error 404");
      assertThat(screen.get(2)).startsWith("pages=1 page=0 ");
    }
  }

  @Test
  void aCrawlOnAPseudoTerminalEndsItsCounterAboveTheSummary() throws Exception {
    try (Site site = new Site(path -> Site.Answer.html(200, "<a href=/1>1</a> <a href=/2>2</a>"))) {
      Process process =
          Pty.start(
              directory,
              "tamis crawl " + site.url("/") + " --delay 0 --queue todo -o out; echo END");
      List<String> screen = Pty.show(new String(process.getInputStream().readAllBytes(), UTF_8));
      assertThat(screen).hasSize(3).last().isEqualTo("END");
      assertThat(screen.get(0)).matches("crawl  3 pages  0:\\d\\d:\\d\\d");
      assertThat(screen.get(1)).startsWith("pages=3 page=3 ");
    }
  }

  /** The shell's prompt comes next. */
  @Test
  void anInterruptEndsTheLineOfTheBarWhichAFileHasNot() throws Exception {
    Process made = new ProcessBuilder("mkfifo", directory + "/pipe", directory + "/second").start();
    assertThat(made.waitFor()).isZero();
    Process process =
        Pty.start(
            directory,
            "tamis dedup -o other < second 2> err & trap : INT; tamis dedup -o out < pipe; echo"
                + " END; wait");
    StringBuilder printed = new StringBuilder();
    InputStream in = process.getInputStream();
    try (OutputStream pipe = new FileOutputStream(directory.resolve("pipe").toFile())) {
      try (OutputStream second = new FileOutputStream(directory.resolve("second").toFile())) {
        while (printed.indexOf("MB/s") < 0) {
          pipe.write("y\n".getBytes(UTF_8));
          second.write("y\n".getBytes(UTF_8));
          Thread.sleep(50);
          printed.append(new String(in.readNBytes(in.available()), UTF_8));
          assertThat(process.isAlive()).as("%s", printed).isTrue();
        }
        OutputStream keyboard = process.getOutputStream();
        keyboard.write(3);
        keyboard.flush();
      }
      printed.append(new String(in.readAllBytes(), UTF_8));
    }
    List<String> screen = Pty.show(printed.toString());
    assertThat(screen).hasSize(2).last().isEqualTo("END");
    assertThat(screen.get(0)).startsWith("read  0 MB  ");
    assertThat(directory.resolve("out")).doesNotExist();
    assertThat(directory.resolve("err")).content().startsWith("lines=").doesNotContain("MB/s");
  }

  private Path out() {
    return directory.resolve("out");
  }

  /** Runs a command; its input pauses where there is a bar, and at ^ until one is drawn. */
  private static List<String> screen(String input, Object... args) {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Main.run(
        Stream.of(args).map(String::valueOf).toList(),
        new Typed(input, printed),
        OutputStream.nullOutputStream(),
        new PrintStream(printed, true, UTF_8));
    return Pty.show(printed.toString(UTF_8));
  }

  /** What is typed into a pipe, part by part. */
  private static final class Typed extends InputStream {
    private final byte[] input;
    private final ByteArrayOutputStream screen;
    private int at;

    Typed(String input, ByteArrayOutputStream screen) {
      this.input = input.getBytes(UTF_8);
      this.screen = screen;
    }

    @Override
    public int available() {
      return 0;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] bytes, int offset, int length) {
      if (at == input.length) {
        return -1;
      }
      try {
        if (input[at] == '|') {
          at++;
          Thread.sleep(DELAY_MILLIS);
        } else if (input[at] == '^') {
          at++;
          while (!screen.toString(UTF_8).contains("MB/s")) {
            Thread.sleep(20);
          }
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      int from = at;
      while (at < input.length && at - from < length && input[at] != '|' && input[at] != '^') {
        bytes[offset++] = input[at++];
      }
      return at == from ? -1 : at - from;
    }
  }
}
