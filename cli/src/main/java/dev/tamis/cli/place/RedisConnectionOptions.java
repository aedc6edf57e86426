package dev.tamis.cli.place;

import dev.tamis.cli.console.CommandException;
import dev.tamis.cli.console.Messages;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a connection to a server, besides its URL: the password and the timeout. */
public final class RedisConnectionOptions {

  /** Any single command occupies a server for less than a second. */
  static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

  @Mixin private final RedisPasswordOption password;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "Maximum time to wait for a reply of a server (default: 10s).")
  private Duration timeout = DEFAULT_TIMEOUT;

  public RedisConnectionOptions(Messages err) {
    this.password = new RedisPasswordOption(err);
  }

  RedisPasswordOption password() {
    return password;
  }

  Duration timeout() {
    if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
      throw new CommandException(
          "--timeout: must be 1ms to %sms, got %sms", Integer.MAX_VALUE, timeout.toMillis());
    }
    return timeout;
  }
}
