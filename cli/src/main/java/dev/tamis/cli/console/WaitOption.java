package dev.tamis.cli.console;

import dev.tamis.file.WriteLock;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says what to do about a file that another run is about to replace. */
public final class WaitOption {

  @Option(
      names = "--wait",
      description = "Wait for another run that writes the same file, instead of failing.")
  private boolean waits;

  /** Takes the lock of a file that is to be replaced. */
  public WriteLock lock(Path path) throws IOException {
    if (!waits) {
      return WriteLock.tryTake(path)
          .orElseThrow(
              () ->
                  new CommandException(
                      "%s: another run is writing it; repeat when that has ended, or give --wait",
                      path));
    }
    try {
      return WriteLock.await(path);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(path + ": interrupted while waiting");
    }
  }
}
