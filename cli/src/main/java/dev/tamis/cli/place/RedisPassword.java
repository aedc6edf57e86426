package dev.tamis.cli.place;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Messages;
import dev.tamis.cli.report.Durations;
import java.time.Duration;
import picocli.CommandLine.Option;

/** What a command needs to talk to a server beyond its URL: the password and the timeout. */
public final class RedisPassword extends RedisLogin {

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Maximum time to wait for a reply of a server (default: 10s).")
  private Duration timeout = DEFAULT_TIMEOUT;

  /** Starts without a file; a password that is none too secret is reported to {@code err}. */
  public RedisPassword(Messages err) {
    super(err);
  }

  @Override
  Duration timeout() {
    if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
      throw new CommandException(
          "--timeout: must be 1ms to "
              + Integer.MAX_VALUE
              + "ms, got "
              + timeout.toMillis()
              + "ms");
    }
    return timeout;
  }
}
