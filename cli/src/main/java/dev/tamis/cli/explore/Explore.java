package dev.tamis.cli.explore;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Streams;
import dev.tamis.explorer.ExplorerServer;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tamis explore}: serves the explorer page to this machine's browser until interrupted. */
@Command(
    name = "explore",
    description = "Show filters at work, and what is in a file, in a browser.",
    footer = {
      "Serves one page on the loopback address, at a URL with a random token, which",
      "is printed. Nothing leaves this machine. Ctrl-C ends it.",
      "",
      "Example:",
      "  $ seq 1000 | tamis build -q -n 1000 -p 0.01 -o a.tamis",
      "  $ tamis explore a.tamis",
    })
public final class Explore implements Callable<Integer> {

  private final Streams streams;

  @Option(names = "--no-open", description = "Print the URL without opening a browser.")
  private boolean noOpen;

  @Parameters(
      arity = "0..1",
      paramLabel = "FILTER",
      description = "A file that the page opens; it is read when the page asks for it.")
  private @Nullable Path filter;

  public Explore(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    try (ExplorerServer server = start()) {
      streams.print(server.url() + "\n");
      if (!noOpen) {
        open(server.url());
      }
      streams.err().line("tamis explore: Ctrl-C ends it");
      new CountDownLatch(1).await();
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 0;
    }
  }

  private ExplorerServer start() throws IOException {
    if (filter == null) {
      return ExplorerServer.start();
    }
    if (!Files.isRegularFile(filter) || !Files.isReadable(filter)) {
      throw new CommandException("%s: not a file that can be read; name a filter", filter);
    }
    return ExplorerServer.start(filter);
  }

  private void open(URI url) {
    try {
      Browser.open(url);
    } catch (IOException e) {
      streams.err().line("tamis explore: no browser could be started; open the URL in one");
    }
  }

  /** The browser of the user, by the program that each system has to open a URL. */
  static final class Browser {

    private Browser() {}

    static void open(URI url) throws IOException {
      new ProcessBuilder(command(System.getProperty("os.name", ""), url))
          .redirectOutput(Redirect.DISCARD)
          .redirectError(Redirect.DISCARD)
          .start()
          .getOutputStream()
          .close();
    }

    /** Returns the program of a system with its arguments; none of them is read by a shell. */
    static List<String> command(String system, URI url) {
      String name = system.toLowerCase(Locale.ROOT);
      if (name.contains("windows")) {
        return List.of("rundll32", "url.dll,FileProtocolHandler", url.toString());
      }
      return List.of(name.contains("mac") ? "open" : "xdg-open", url.toString());
    }
  }
}
