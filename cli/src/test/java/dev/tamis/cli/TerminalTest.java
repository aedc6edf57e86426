package dev.tamis.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a terminal shows: the real command on a pseudo terminal, its screen after the run. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class TerminalTest {

  private static final String COUNTER = "read  \\d+ MB  [\\d,]+ lines  [\\d.]+ MB/s  0:00:\\d\\d";

  /** Takes so long that a bar is drawn, however slowly the command starts. */
  private static final String SLOW =
      "yes | head; sleep 1; yes | head; sleep 1; yes | head; sleep 1; yes | head";

  @TempDir Path directory;

  @BeforeEach
  void putTamisOnThePath() throws Exception {
    assumeTrue(
        new ProcessBuilder("sh", "-c", "script --version | grep -q util-linux").start().waitFor()
            == 0,
        "script of util-linux is not installed");
    TamisOnPath.in(directory);
  }

  @Test
  void aBarForFilesEndsAboveTheSummary() throws Exception {
    Files.writeString(directory.resolve("in"), "a\n".repeat(40 << 20));
    List<String> screen = screen("tamis dedup -o out in");
    assertThat(screen).hasSize(2);
    assertThat(screen.get(0)).startsWith("read 100%").contains("83/83 MB");
    assertThat(screen.get(1)).startsWith("lines=41943040 unique=1 ");
  }

  @Test
  void aPipeHasACounterOfLinesAndMegabytes() throws Exception {
    List<String> screen =
        screen("(yes | head -n 1000000; sleep 3; yes n | head -n 1000000) | tamis dedup -o out");
    assertThat(screen).hasSize(2);
    assertThat(screen.get(0)).matches(COUNTER).startsWith("read  4 MB  2,000,000 lines  ");
    assertThat(screen.get(1)).startsWith("lines=2000000 unique=2 ");
    assertThat(screen("(" + SLOW + ") | tamis build -n 9 -o filter").get(0)).matches(COUNTER);
    assertThat(screen("(" + SLOW + ") | tamis check filter > out").get(0)).matches(COUNTER);
  }

  @Test
  void nothingIsDrawnForAShortRunOrWithoutASummary() throws Exception {
    assertThat(screen("seq 3 | tamis dedup -o out")).hasSize(1);
    assertThat(screen("(" + SLOW + ") | tamis dedup -q -o out")).isEmpty();
    assertThat(screen("(" + SLOW + ") | tamis dedup --json -o out"))
        .hasSize(1)
        .allMatch(line -> line.startsWith("{"));
    assertThat(screen("(yes | head; sleep 1; echo a) | tamis dedup")) // shows the data
        .hasSize(3)
        .startsWith("y", "a");
    assertThat(screen("(" + SLOW + ") | tamis dedup -o out 2>err")).isEmpty();
    assertThat(directory.resolve("err")).content().startsWith("lines=40 ").hasLineCount(1);
  }

  @Test
  void messagesStandOnLinesOfTheirOwn() throws Exception {
    String input = "(echo bad1; sleep 1; echo http://a/; sleep 2; echo bad2; sleep 1; echo bad3)";
    List<String> screen = screen(input + " | tamis queue todo push");
    assertThat(screen).hasSize(5);
    assertThat(screen.subList(0, 3))
        .allMatch(line -> line.matches("tamis queue push: -:\\d: not an absolute URL.*"));
    assertThat(screen.get(3)).matches(COUNTER);
    assertThat(screen.get(4)).startsWith("pushed=4 accepted=1 duplicates=0 rejected=3 ");
  }

  @Test
  void aWarningOfTheFilterDoesNotBreakTheBar() throws Exception {
    List<String> screen =
        screen("(seq 10; sleep 2; seq 2000; sleep 2; echo) | tamis build -n 10 -o out");
    assertThat(screen.get(screen.size() - 1)).startsWith("lines=2011 ");
    assertThat(screen).filteredOn(line -> line.matches(COUNTER)).hasSize(1);
    assertThat(screen).filteredOn(line -> line.startsWith("tamis build: ")).hasSize(2);
    assertThat(screen).hasSize(4);
  }

  @Test
  void aCrawlCountsPagesAboveItsMessagesAndItsSummary() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    server.start();
    try {
      String url = "http://localhost:" + server.getAddress().getPort() + "/";
      List<String> screen = screen("tamis crawl " + url + " --queue todo -o pages.tsv");
      assertThat(screen).hasSize(3);
      assertThat(screen.get(0)).matches("crawl  1 page  0:00:\\d\\d");
      assertThat(screen.get(1)).startsWith("tamis crawl: " + url + ": client-error 404");
      assertThat(screen.get(2)).startsWith("pages=1 page=0 ");
    } finally {
      server.stop(0);
    }
  }

  /** The shell's prompt comes next. */
  @Test
  void anInterruptEndsTheLineOfTheBar() throws Exception {
    Process process =
        start("trap : INT; (trap '' INT; " + SLOW + "; sleep 3) | tamis dedup -o out; echo END");
    StringBuilder printed = new StringBuilder();
    InputStream in = process.getInputStream();
    while (printed.indexOf("MB/s") < 0) {
      int next = in.read();
      assertThat(next).as(printed.toString()).isNotNegative();
      printed.append((char) next);
    }
    OutputStream keyboard = process.getOutputStream();
    keyboard.write(3);
    keyboard.flush();
    printed.append(new String(in.readAllBytes(), UTF_8));
    List<String> screen = show(printed.toString());
    assertThat(screen).hasSize(2).last().isEqualTo("END");
    assertThat(screen.get(0)).startsWith("read  0 MB  ");
    assertThat(directory.resolve("out")).doesNotExist();
  }

  private List<String> screen(String command) throws Exception {
    Process process = start(command);
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return show(printed);
  }

  private Process start(String command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder("script", "-qec", command, "/dev/null")
            .directory(directory.toFile())
            .redirectErrorStream(true);
    builder.environment().merge("PATH", directory.toString(), (path, first) -> first + ":" + path);
    builder.environment().put("SHELL", "/bin/bash");
    builder.environment().put("LC_ALL", "C.UTF-8");
    builder.environment().put("COLUMNS", "100");
    return builder.start();
  }

  /** Returns the lines of a screen on which this was printed. */
  private static List<String> show(String printed) {
    List<String> screen = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    int column = 0;
    for (int i = 0; i < printed.length(); i++) {
      char c = printed.charAt(i);
      if (c == '\r') {
        column = 0;
      } else if (c == '\n') {
        screen.add(line.toString().stripTrailing());
        line.setLength(0);
        column = 0;
      } else {
        if (column < line.length()) {
          line.setCharAt(column, c);
        } else {
          line.append(c);
        }
        column++;
      }
    }
    if (!line.isEmpty()) {
      screen.add(line.toString().stripTrailing());
    }
    return screen;
  }
}
