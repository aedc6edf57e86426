package dev.tamis.cli.help;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.tamis.cli.Cli;
import dev.tamis.cli.Commands;
import dev.tamis.cli.TamisOnPath;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;

/** What the help of a command shows can be pasted, and prints what the help says. */
@DisabledOnOs(OS.WINDOWS)
class HelpExamplesTest {

  @TempDir Path directory;

  /** All commands but the one that runs until Ctrl-C, see {@code ExploreTest}. */
  static List<String> commands() {
    return Commands.all().keySet().stream().filter(name -> !name.startsWith("explore")).toList();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void examplesPrintWhatTheHelpSays(String command) throws Exception {
    List<HelpText.Example> examples = examples(Commands.of(command));
    assertThat(examples).as("every command has an example").isNotEmpty();
    Path bin = Files.createDirectory(directory.resolve("bin"));
    TamisOnPath.in(bin);
    Path folder = Files.createDirectory(directory.resolve("empty"));
    HttpServer server = server();
    try {
      String address = "localhost:" + server.getAddress().getPort();
      for (HelpText.Example example : examples) {
        ShellSession.parse(example.lines())
            .with("localhost:8000", address)
            .with("localhost:3128", address)
            .run(folder, bin);
      }
    } finally {
      server.stop(0);
    }
  }

  private static List<HelpText.Example> examples(CommandSpec command) {
    return HelpText.of(command).blocks().stream()
        .filter(HelpText.Example.class::isInstance)
        .map(HelpText.Example.class::cast)
        .toList();
  }

  /** Serves the site that {@code crawl} visits and the digest that {@code digest fetch} reads. */
  private HttpServer server() throws IOException {
    Path digest = directory.resolve("digest");
    StringBuilder urls = new StringBuilder();
    for (int i = 0; i < 751; i++) {
      urls.append("http://a.example/").append(i).append('\n');
    }
    Cli.runOn(urls.toString(), "digest make -q -n 740 -o", digest);
    Map<String, byte[]> pages =
        Map.of(
            "/",
                "<a href='/about'>About</a> <a href='/gone'>Gone</a>"
                    .getBytes(StandardCharsets.UTF_8),
            "/about", "<a href='/'>Home</a>".getBytes(StandardCharsets.UTF_8),
            "/squid-internal-periodic/store_digest", Files.readAllBytes(digest));
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          byte[] page = pages.get(exchange.getRequestURI().getPath());
          boolean isDigest = exchange.getRequestURI().getPath().endsWith("digest");
          exchange
              .getResponseHeaders()
              .add("Content-Type", isDigest ? "application/cache-digest" : "text/html");
          exchange.sendResponseHeaders(page == null ? 404 : 200, page == null ? -1 : page.length);
          if (page != null) {
            exchange.getResponseBody().write(page);
          }
          exchange.close();
        });
    server.start();
    return server;
  }

  @Test
  void outputIsComparedLineByLine() {
    assertThat(ShellSession.matches(List.of("a", "...", "z"), List.of("a", "z"))).isTrue();
    assertThat(ShellSession.matches(List.of("a", "...", "z"), List.of("a", "b", "c", "z")))
        .isTrue();
    assertThat(ShellSession.matches(List.of("a"), List.of("a", "b"))).isFalse();
    assertThat(ShellSession.matches(List.of("a", "b"), List.of("a"))).isFalse();
    assertThat(ShellSession.matches(List.of("n=3 ... z=1"), List.of("n=3 x=2 z=1"))).isTrue();
    assertThat(ShellSession.matches(List.of("n=3 ... z=1"), List.of("n=3 x=2 z=12"))).isFalse();
    assertThat(ShellSession.matches(List.of("n=3 ..."), List.of("n=4 x"))).isFalse();
    assertThat(ShellSession.matches(List.of("abc"), List.of("abcd"))).isFalse();
  }
}
