package dev.tamis.cli.help;

import dev.tamis.cli.console.Streams;
import dev.tamis.cli.console.Version;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;

/** {@code tamis version}: what {@code --version} prints. */
@Command(
    name = "version",
    description = "Print the version.",
    footer = {
      "Example:",
      "  $ tamis version",
      "  tamis ...",
    })
public final class VersionCommand implements Callable<Integer> {

  private final Streams streams;

  public VersionCommand(Streams streams) {
    this.streams = streams;
  }

  @Override
  public Integer call() throws IOException {
    streams.print(Version.line() + "\n");
    return 0;
  }
}
